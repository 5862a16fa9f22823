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
# What reads their texts.
TABLE_READER := text/unicode/utf8  base/cpu base/string base/status base/arena
TABLE_OBJECTS = $(patsubst %,$(BUILD)/tables/%.o,$(TABLES))

TABLE_RULES := $(filter-out text/tables/tables.mk,$(sort $(wildcard text/tables/*.mk)))
ifndef CC_FOR_BUILD
include $(TABLE_RULES)
else
# What compiles tables runs here, and CC makes programs for another machine: the tables are those of a build of their own for this one, which
# knows nothing of the other's compiler and libraries. They hold little-endian numbers alone, and are the same on every machine.
TABLES := $(shell sed -n 's/^TABLES += //p' $(TABLE_RULES))
NATIVE := $(BUILD)/native
NATIVE_TABLES := $(addprefix $(NATIVE)/tables/,$(addsuffix .bin,$(TABLES) unicode))

$(BUILD)/tables/%.bin: native-tables
	@mkdir -p $(@D)
	@cmp -s $(NATIVE)/tables/$*.bin $@ || cp $(NATIVE)/tables/$*.bin $@

.PHONY: native-tables
native-tables:
	@env -u CFLAGS -u CPPFLAGS -u CXXFLAGS -u LDFLAGS -u AR -u PKG_CONFIG_PATH -u PKG_CONFIG_LIBDIR -u PKG_CONFIG_SYSROOT_DIR MAKEOVERRIDES= \
	    $(MAKE) --no-print-directory BUILD=$(NATIVE) CC=$(call quoted,$(CC_FOR_BUILD)) CC_FOR_BUILD= PKG_CONFIG=pkg-config \
	    JIEBA=$(call quoted,$(JIEBA)) RIME_PINYIN=$(call quoted,$(RIME_PINYIN)) $(NATIVE_TABLES)
endif

$(BUILD)/tables/%.o: $(BUILD)/tables/%.bin text/tables/embed.S $(STAMP)
	$(call quiet,DATA)$(EMBED) -DNAME=$* -DFILE='"$<"' -o $@ text/tables/embed.S
