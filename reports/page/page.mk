# SPDX-License-Identifier: GPL-3.0-or-later
# The style and the script of the page, part of the program as fp_table_page_css and fp_table_page_js.
PAGE_PARTS := reports/page/page.css reports/page/page.js
PAGE_OBJECTS := $(patsubst reports/page/page.%,$(BUILD)/reports/page/embedded_%.o,$(PAGE_PARTS))

$(BUILD)/reports/page/embedded_%.o: reports/page/page.% text/tables/embed.S $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,DATA)$(EMBED) -DNAME=page_$* -DFILE='"$<"' -o $@ text/tables/embed.S
