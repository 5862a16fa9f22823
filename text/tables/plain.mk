# SPDX-License-Identifier: GPL-3.0-or-later
# What normalisation and Han folding do to a character, in one step: from their own tables.
TABLES += plain

$(BUILD)/tables/compile_plain: text/tables/compile_plain.c text/tables/compile.h text/unicode/plain.h text/unicode/normalise_table.h text/unicode/han_table.h $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(LIBS)

$(BUILD)/tables/plain.bin: $(BUILD)/tables/compile_plain $(BUILD)/tables/normalise.bin $(BUILD)/tables/han.bin
	$^ $@
