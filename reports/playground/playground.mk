# SPDX-License-Identifier: GPL-3.0-or-later
# The playground's style and script, each one file of the shared part and its own modules, embedded in the program as
# fp_table_playground_css and fp_table_playground_js.
PLAYGROUND := $(BUILD)/reports/playground
PLAYGROUND_STYLES := reports/page/common.css reports/playground/playground.css
PLAYGROUND_SCRIPTS := reports/page/common.js $(addprefix reports/playground/,words.js tools.js saying.js compare.js places.js reading.js corpus.js results.js playground.js)
PLAYGROUND_OBJECTS := $(patsubst %,$(PLAYGROUND)/embedded_%.o,css js)

$(PLAYGROUND)/playground.css: $(PLAYGROUND_STYLES)
	@mkdir -p $(@D)
	@cat $^ > $@

$(PLAYGROUND)/playground.js: $(PLAYGROUND_SCRIPTS)
	@mkdir -p $(@D)
	@cat $^ > $@

$(PLAYGROUND)/embedded_%.o: $(PLAYGROUND)/playground.% text/tables/embed.S $(STAMP)
	$(call quiet,DATA)$(EMBED) -DNAME=playground_$* -DFILE='"$<"' -o $@ text/tables/embed.S
