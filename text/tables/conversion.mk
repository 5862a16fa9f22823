# SPDX-License-Identifier: GPL-3.0-or-later
# Simplified to traditional Chinese and back, from OpenCC's dictionaries, which han.mk converts to text files: lines
# "dictionary word TAB replacement" in byte order, with a letter for each dictionary and the first of its candidates.
TABLES += conversion

# In the order of text/unicode/conversion.c.
CONVERSION_TEXTS := $(patsubst %,$(BUILD)/tables/opencc/%.txt,STPhrases STCharacters TWPhrases TWVariants HKVariants \
    TWPhrasesRev TWVariantsRevPhrases TWVariantsRev TSPhrases TSCharacters)

$(BUILD)/tables/conversion.bin: $(CONVERSION_TEXTS) text/tables/conversion.mk
	$(call quiet,DATA)awk -F '\t' 'FNR == 1 { letter = substr("abcdefghij", ++file, 1) } \
	    NF != 2 || $$1 == "" || $$2 == "" { print FILENAME ":" FNR ": not a word, a tab and its replacements" >"/dev/stderr"; exit bad = 1 } \
	    { sub(/ .*/, ""); print letter $$0 } END { exit bad || file != $(words $(CONVERSION_TEXTS)) }' $(CONVERSION_TEXTS) >$@.new
	@LC_ALL=C sort $@.new >$@ && rm $@.new
