# SPDX-License-Identifier: GPL-3.0-or-later
# Tables compiled at build time from the distribution's data packages. A program in this directory writes table NAME to
# $(BUILD)/tables/NAME.bin, which is embedded as fp_table_NAME … fp_table_NAME_end in read-only memory. Each *.mk file
# here adds names to TABLES and has the rules for their .bin files.

TABLES :=
# Paths of their data; changing a path rebuilds the tables.
TABLE_DATA :=

# Inputs of several tables.
JIEBA ?= /usr/lib/python3/dist-packages/jieba
RIME_PINYIN ?= /usr/share/rime-data/pinyin_simp.dict.yaml
TABLE_DATA += $(JIEBA) $(RIME_PINYIN)
# The reader of their text files.
TABLE_READER := text/unicode/utf8  base/cpu base/string base/status base/arena
TABLE_OBJECTS = $(patsubst %,$(BUILD)/tables/%.o,$(TABLES))

TABLE_RULES := $(filter-out text/tables/tables.mk,$(sort $(wildcard text/tables/*.mk)))
ifndef CC_FOR_BUILD
include $(TABLE_RULES)
else
# Cross-compilation: table compilers run on this machine, so a separate native build makes the tables, without the
# target's compiler and libraries. Tables hold only little-endian numbers and are the same on every machine.
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
