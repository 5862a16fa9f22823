# SPDX-License-Identifier: GPL-3.0-or-later
# Characters that sound or look alike, from Unihan, Rime's simplified pinyin dictionary, and jieba's word frequencies.
TABLES += alike

UNIHAN ?= /usr/share/unicode
UNIHAN_FILES := $(patsubst %,$(UNIHAN)/Unihan_%.txt.bz2,DictionaryLikeData IRGSources OtherMappings Variants)
TABLE_DATA += $(UNIHAN)
ALIKE_HEADERS := text/tables/compile.h text/unicode/alike_table.h text/unicode/alike.h
ALIKE_OBJECTS := $(patsubst %,$(BUILD)/%.o,text/unicode/han tables/han text/unicode/plain tables/normalise $(TABLE_READER))

$(BUILD)/tables/compile_alike: text/tables/compile_alike.c $(ALIKE_HEADERS) $(ALIKE_OBJECTS) $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(ALIKE_OBJECTS) $(LIBS)

$(BUILD)/tables/shapes.txt: $(STAMP) $(wildcard $(UNIHAN_FILES))
	@mkdir -p $(@D)
	@for file in $(UNIHAN_FILES); do \
	    test -r $$file || { echo "$$file is missing: install the Debian package unicode-data" >&2; exit 1; }; done
	@command -v bzcat >/dev/null || { echo "bzcat is missing: install the Debian package bzip2" >&2; exit 1; }
	bzcat $(UNIHAN_FILES) | grep -E '	k(Cangjie|FourCornerCode|TotalStrokes|TGH|BigFive|SpoofingVariant)	' >$@.new
	mv $@.new $@

# If another file is missing, the program fails and names the package.
$(BUILD)/tables/alike.bin: $(BUILD)/tables/compile_alike $(BUILD)/tables/shapes.txt $(wildcard $(RIME_PINYIN) $(JIEBA)/dict.txt)
	$< $@ $(BUILD)/tables/shapes.txt $(RIME_PINYIN) $(JIEBA)/dict.txt
