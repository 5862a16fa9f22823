# SPDX-License-Identifier: GPL-3.0-or-later
# Tables compiled at build time from the distribution's data packages. A table NAME is $(BUILD)/tables/NAME.bin, made by a small program
# beside this file, and becomes fp_table_NAME … fp_table_NAME_end in read-only memory. Each *.mk file here adds its names to
# TABLES and gives the rules for their .bin.

TABLES :=
# Where their data lies; another place makes them anew.
TABLE_DATA :=

# Read for several tables.
JIEBA ?= /usr/lib/python3/dist-packages/jieba
RIME_PINYIN ?= /usr/share/rime-data/pinyin_simp.dict.yaml
TABLE_DATA += $(JIEBA) $(RIME_PINYIN)
TABLE_OBJECTS = $(patsubst %,$(BUILD)/tables/%.o,$(TABLES))

include $(filter-out text/tables/tables.mk,$(sort $(wildcard text/tables/*.mk)))

$(BUILD)/tables/%.o: $(BUILD)/tables/%.bin text/tables/embed.S $(STAMP)
	$(call quiet,DATA)$(EMBED) -DNAME=$* -DFILE='"$<"' -o $@ text/tables/embed.S
