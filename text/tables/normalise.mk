# SPDX-License-Identifier: GPL-3.0-or-later
# What ICU's NFKC_Casefold makes of every code point.
TABLES += normalise

NORMALISE_HEADERS := text/tables/compile.h text/unicode/normalise_table.h text/unicode/code_blocks.h

$(BUILD)/tables/compile_normalise: text/tables/compile_normalise.c $(NORMALISE_HEADERS) $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(LIBS)

$(BUILD)/tables/normalise.bin: $(BUILD)/tables/compile_normalise
	$< $@
