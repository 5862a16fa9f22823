# SPDX-License-Identifier: GPL-3.0-or-later
# ICU's NFKC_Casefold of every code point, for radicals Unicode's list of equivalent ideographs, and what Han folding changes.
TABLES += normalise

EQUIVALENTS ?= /usr/share/unicode/EquivalentUnifiedIdeograph.txt
TABLE_DATA += $(EQUIVALENTS)
NORMALISE_OBJECTS := $(patsubst %,$(BUILD)/%.o,$(TABLE_READER))
NORMALISE_HEADERS := text/tables/compile.h text/unicode/normalise_table.h text/unicode/han_table.h text/unicode/code_blocks.h

$(BUILD)/tables/compile_normalise: text/tables/compile_normalise.c $(NORMALISE_HEADERS) $(NORMALISE_OBJECTS) $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(NORMALISE_OBJECTS) $(LIBS)

# If the list is missing, the program fails and names the package.
$(BUILD)/tables/normalise.bin: $(BUILD)/tables/compile_normalise $(BUILD)/tables/han.bin $(wildcard $(EQUIVALENTS))
	$< $@ $(EQUIVALENTS) $(BUILD)/tables/han.bin
