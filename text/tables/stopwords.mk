# SPDX-License-Identifier: GPL-3.0-or-later
TABLES += stopwords

$(BUILD)/tables/stopwords.bin: text/data/stopwords.txt
	@mkdir -p $(@D)
	cp $< $@
