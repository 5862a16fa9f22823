# SPDX-License-Identifier: GPL-3.0-or-later
# This project's own lists for corrupted texts.
TABLES += synonyms boilerplate

$(BUILD)/tables/synonyms.bin $(BUILD)/tables/boilerplate.bin: $(BUILD)/tables/%.bin: text/data/%.txt
	@mkdir -p $(@D)
	cp $< $@
