# SPDX-License-Identifier: GPL-3.0-or-later
# Pinyin initials of characters and phrases, from Unihan, Rime's simplified pinyin dictionary, our own list, and jieba's word frequencies.
TABLES += pinyin

UNIHAN_READINGS ?= /usr/share/unicode/Unihan_Readings.txt.bz2
RIME_PINYIN ?= /usr/share/rime-data/pinyin_simp.dict.yaml

$(BUILD)/tables/compile_pinyin: text/tables/compile_pinyin.c text/tables/compile.h text/pinyin_table.h text/code_blocks.h \
        $(BUILD)/text/pinyin_word.o $(BUILD)/text/han.o $(BUILD)/tables/han.o $(BUILD)/text/utf8.o \
        $(BUILD)/base/hash.o $(BUILD)/base/string.o $(BUILD)/base/status.o $(BUILD)/base/arena.o
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(filter %.o,$^) $(LIBS)

$(BUILD)/tables/kMandarin.txt:
	@mkdir -p $(@D)
	@test -r $(UNIHAN_READINGS) || { echo "$(UNIHAN_READINGS) is missing: install the Debian package unicode-data" >&2; exit 1; }
	@command -v bzcat >/dev/null || { echo "bzcat is missing: install the Debian package bzip2" >&2; exit 1; }
	bzcat $(UNIHAN_READINGS) | grep kMandarin >$@.new
	mv $@.new $@

# Other files that are missing are left to the program, which names the package.
$(BUILD)/tables/pinyin.bin: $(BUILD)/tables/compile_pinyin $(BUILD)/tables/kMandarin.txt text/data/pinyin_phrases.txt
	$< $@ $(BUILD)/tables/kMandarin.txt $(RIME_PINYIN) text/data/pinyin_phrases.txt $(JIEBA)/dict.txt
