# SPDX-License-Identifier: GPL-3.0-or-later
# Absolute values of 65,536 standard normal numbers, from GSL's quantiles. Not about text, but a compiled table.
TABLES += gaussian

$(BUILD)/tables/compile_gaussian: text/tables/compile_gaussian.c text/tables/compile.h $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(LIBS)

$(BUILD)/tables/gaussian.bin: $(BUILD)/tables/compile_gaussian
	$< $@
