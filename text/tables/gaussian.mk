# SPDX-License-Identifier: GPL-3.0-or-later
# The sizes of 65,536 standard normal numbers, from GSL's quantiles. No text needs them: this is where tables are compiled.
TABLES += gaussian

$(BUILD)/tables/compile_gaussian: text/tables/compile_gaussian.c text/tables/compile.h $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(LIBS)

$(BUILD)/tables/gaussian.bin: $(BUILD)/tables/compile_gaussian
	$< $@
