# SPDX-License-Identifier: GPL-3.0-or-later
# Traditional to simplified characters, from OpenCC's dictionaries.
TABLES += han

OPENCC_DATA ?= /usr/share/opencc
HAN_HEADERS := text/tables/compile.h text/han_table.h text/code_blocks.h
HAN_OBJECTS := $(patsubst %,$(BUILD)/%.o,text/utf8 base/string base/status base/arena)

$(BUILD)/tables/compile_han: text/tables/compile_han.c $(HAN_HEADERS) $(HAN_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(HAN_OBJECTS) $(LIBS)

$(BUILD)/tables/TS%.txt:
	@mkdir -p $(@D)
	@test -r $(OPENCC_DATA)/TS$*.ocd2 || \
	    { echo "$(OPENCC_DATA)/TS$*.ocd2 is missing: install the Debian package libopencc-data" >&2; exit 1; }
	@command -v opencc_dict >/dev/null || \
	    { echo "opencc_dict is missing: install the Debian package opencc" >&2; exit 1; }
	opencc_dict -i $(OPENCC_DATA)/TS$*.ocd2 -o $@.new -f ocd2 -t text
	mv $@.new $@

$(BUILD)/tables/han.bin: $(BUILD)/tables/compile_han $(BUILD)/tables/TSPhrases.txt $(BUILD)/tables/TSCharacters.txt
	$< $@ $(filter %.txt,$^)
