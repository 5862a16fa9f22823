# SPDX-License-Identifier: GPL-3.0-or-later
# The gnuplot scripts, embedded in the program as fp_table_gnuplot_NAME … fp_table_gnuplot_NAME_end.
PLOT_SCRIPTS := $(sort $(wildcard reports/plots/gnuplot/*.gp))
PLOT_LIST := $(BUILD)/gnuplot_scripts.h
PLOT_OBJECTS := $(patsubst %.gp,$(BUILD)/%.o,$(PLOT_SCRIPTS))

$(BUILD)/reports/plots/gnuplot/%.o: reports/plots/gnuplot/%.gp text/tables/embed.S $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,DATA)$(EMBED) -DNAME=gnuplot_$* -DFILE='"$<"' -o $@ text/tables/embed.S

# The list of scripts, for plot_script.c.
$(PLOT_LIST): FORCE
	@mkdir -p $(@D)
	@$(call renew,printf 'SCRIPT(%s)\n' $(basename $(notdir $(PLOT_SCRIPTS))))

$(BUILD)/reports/plots/plot_script.o: $(PLOT_LIST)
$(BUILD)/reports/plots/plot_script.o: INCLUDES += -I$(BUILD)
