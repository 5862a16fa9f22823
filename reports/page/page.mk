# SPDX-License-Identifier: GPL-3.0-or-later
# Styles and scripts of pages, embedded in the program (common.css as fp_table_common_css), in the order of the page.
PAGE_STYLES := reports/page/common.css reports/page/page.css
PAGE_SCRIPTS := reports/page/common.js reports/page/page_board.js reports/page/page_counts.js reports/page/page_pairs.js reports/page/page_curves.js reports/page/page.js
PAGE_OBJECTS := $(patsubst reports/page/%.css,$(BUILD)/reports/page/embedded_%_css.o,$(PAGE_STYLES)) \
    $(patsubst reports/page/%.js,$(BUILD)/reports/page/embedded_%_js.o,$(PAGE_SCRIPTS))

$(BUILD)/reports/page/embedded_%_css.o: reports/page/%.css text/tables/embed.S $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,DATA)$(EMBED) -DNAME=$*_css -DFILE='"$<"' -o $@ text/tables/embed.S

$(BUILD)/reports/page/embedded_%_js.o: reports/page/%.js text/tables/embed.S $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,DATA)$(EMBED) -DNAME=$*_js -DFILE='"$<"' -o $@ text/tables/embed.S
