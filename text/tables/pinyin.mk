# SPDX-License-Identifier: GPL-3.0-or-later
# Pinyin of characters and initials of phrases, from Unihan, Rime's simplified pinyin dictionary, our own lists, and
# jieba's word frequencies.
TABLES += pinyin

UNIHAN_READINGS ?= /usr/share/unicode/Unihan_Readings.txt.bz2
TABLE_DATA += $(UNIHAN_READINGS)
PINYIN_PHRASES := text/data/pinyin_phrases.txt
PINYIN_SURNAMES := text/data/surnames.txt
PINYIN_SYLLABLES := text/data/pinyin_syllables.txt
PINYIN_HEADERS := text/tables/compile.h text/segmentation/pinyin_table.h text/segmentation/pinyin.h text/unicode/code_blocks.h
PINYIN_OBJECTS := $(patsubst %,$(BUILD)/%.o,text/segmentation/pinyin_word text/unicode/han tables/han text/unicode/plain tables/normalise base/hash $(TABLE_READER))

$(BUILD)/tables/compile_pinyin: text/tables/compile_pinyin.c $(PINYIN_HEADERS) $(PINYIN_OBJECTS) $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(PINYIN_OBJECTS) $(LIBS)

$(BUILD)/tables/readings.txt: $(STAMP) $(wildcard $(UNIHAN_READINGS))
	@mkdir -p $(@D)
	@test -r $(UNIHAN_READINGS) || \
	    { echo "$(UNIHAN_READINGS) is missing: install the Debian package unicode-data" >&2; exit 1; }
	@command -v bzcat >/dev/null || { echo "bzcat is missing: install the Debian package bzip2" >&2; exit 1; }
	for field in kMandarin 'k(HanyuPinlu|TGHZ2013)'; do bzcat $(UNIHAN_READINGS) | grep -E "	$$field	"; done >$@.new
	mv $@.new $@

# If another file is missing, the program fails and names the package.
$(BUILD)/tables/pinyin.bin: $(BUILD)/tables/compile_pinyin $(BUILD)/tables/readings.txt $(PINYIN_PHRASES) $(PINYIN_SURNAMES) $(PINYIN_SYLLABLES) \
    $(wildcard $(RIME_PINYIN) $(JIEBA)/dict.txt)
	$< $@ $(BUILD)/tables/readings.txt $(RIME_PINYIN) $(PINYIN_PHRASES) $(PINYIN_SURNAMES) $(JIEBA)/dict.txt $(PINYIN_SYLLABLES)
