# SPDX-License-Identifier: GPL-3.0-or-later
# The playground: its style and script, each one file of the shared part and its own modules.
PLAYGROUND := $(BUILD)/reports/playground
PLAYGROUND_STYLES := reports/page/common.css reports/playground/playground.css
PLAYGROUND_SCRIPTS := reports/lab/lab.js reports/page/common.js $(addprefix reports/playground/,words.js tools.js saying.js compare.js places.js reading.js corpus.js results.js playground.js)

$(PLAYGROUND)/playground.css: $(PLAYGROUND_STYLES) reports/playground/playground.mk
	@mkdir -p $(@D)
	@cat $(PLAYGROUND_STYLES) > $@

$(PLAYGROUND)/playground.js: $(PLAYGROUND_SCRIPTS) reports/playground/playground.mk
	@mkdir -p $(@D)
	@cat $(PLAYGROUND_SCRIPTS) > $@

$(BUILD)/pages/playground.html: $(PLAYGROUND)/playground.css $(PLAYGROUND)/playground.js $(LAB_MODULE) $(LAB_DIGEST) reports/web/make_page.sh
	$(call page,Text fingerprints: a playground,$(PLAYGROUND)/playground.css,$(PLAYGROUND)/playground.js)
