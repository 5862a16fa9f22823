# SPDX-License-Identifier: GPL-3.0-or-later
# Normalisation and Han folding of a character in one step, computed from their tables.
TABLES += plain

$(BUILD)/tables/compile_plain: text/tables/compile_plain.c text/tables/compile.h text/unicode/plain.h text/unicode/normalise_table.h text/unicode/han_table.h $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(LIBS)

$(BUILD)/tables/plain.bin: $(BUILD)/tables/compile_plain $(BUILD)/tables/normalise.bin $(BUILD)/tables/han.bin
	$^ $@
