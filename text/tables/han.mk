# SPDX-License-Identifier: GPL-3.0-or-later
# Traditional to simplified characters, from OpenCC's dictionaries and jieba's word frequencies.
TABLES += han

OPENCC_DATA ?= /usr/share/opencc
TABLE_DATA += $(OPENCC_DATA)
OPENCC_NAMES := TSPhrases TSCharacters TWVariantsRevPhrases TWVariantsRev HKVariantsRevPhrases HKVariantsRev
OPENCC_TEXTS := $(patsubst %,$(BUILD)/tables/opencc/%.txt,$(OPENCC_NAMES))
# The quotation marks of traditional text and those of GB/T 15834.
HAN_MARKS := text/data/han_marks.txt
HAN_COMPILER := $(addprefix text/tables/,compile_han.c compile_han_variants.c)
HAN_HEADERS := $(addprefix text/,tables/compile.h tables/compile_han.h unicode/han_table.h unicode/code_blocks.h)
HAN_OBJECTS := $(patsubst %,$(BUILD)/%.o,$(TABLE_READER))

$(BUILD)/tables/compile_han: $(HAN_COMPILER) $(HAN_HEADERS) $(HAN_OBJECTS) $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $(HAN_COMPILER) $(HAN_OBJECTS) $(LIBS)

$(BUILD)/tables/opencc/%.txt: $(STAMP) $(wildcard $(OPENCC_DATA)/*.ocd2)
	@mkdir -p $(@D)
	@test -r $(OPENCC_DATA)/$*.ocd2 || \
	    { echo "$(OPENCC_DATA)/$*.ocd2 is missing: install the Debian package libopencc-data" >&2; exit 1; }
	@command -v opencc_dict >/dev/null || \
	    { echo "opencc_dict is missing: install the Debian package opencc" >&2; exit 1; }
	opencc_dict -i $(OPENCC_DATA)/$*.ocd2 -o $@.new -f ocd2 -t text
	mv $@.new $@

# If jieba's words are missing, the program fails and names the package.
$(BUILD)/tables/han.bin: $(BUILD)/tables/compile_han $(OPENCC_TEXTS) $(HAN_MARKS) $(wildcard $(JIEBA)/dict.txt)
	$< $@ $(HAN_MARKS) $(OPENCC_TEXTS) $(JIEBA)/dict.txt
