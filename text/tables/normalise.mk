# SPDX-License-Identifier: GPL-3.0-or-later
# What ICU's NFKC_Casefold makes of every code point.
TABLES += normalise

$(BUILD)/tables/compile_normalise: text/tables/compile_normalise.c text/tables/compile.h text/normalise_table.h text/code_blocks.h
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(LIBS)

$(BUILD)/tables/normalise.bin: $(BUILD)/tables/compile_normalise
	$< $@
