# SPDX-License-Identifier: GPL-3.0-or-later
# Data of the segmenters: jieba's dictionary, model and IDF list (Debian's python3-jieba); the project's word lists.
TABLES += jieba userdict measures

JIEBA_FILES := dict.txt analyse/idf.txt
JIEBA_HEADERS := text/tables/compile.h text/segmentation/jieba_table.h text/segmentation/trie.h text/unicode/utf8.h
JIEBA_OBJECTS := $(patsubst %,$(BUILD)/%.o,text/segmentation/trie $(TABLE_READER))

$(BUILD)/tables/compile_jieba: text/tables/compile_jieba.c $(JIEBA_HEADERS) $(JIEBA_OBJECTS) $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(JIEBA_OBJECTS) $(LIBS)

# If a file is missing, the programs fail and name the package.
$(BUILD)/tables/jieba_model.txt: text/tables/jieba_model.py $(STAMP) $(wildcard $(JIEBA)/finalseg/prob_*.py)
	@mkdir -p $(@D)
	$(call quiet,DATA)$(PYTHON) -X utf8 $< $(JIEBA) >$@.new
	@mv $@.new $@

$(BUILD)/tables/jieba.bin: $(BUILD)/tables/compile_jieba $(BUILD)/tables/jieba_model.txt $(wildcard $(addprefix $(JIEBA)/,$(JIEBA_FILES)))
	$(call quiet,DATA)$< $(JIEBA) $(BUILD)/tables/jieba_model.txt $@

$(BUILD)/tables/userdict.bin: text/data/user.dict
	@mkdir -p $(@D)
	$(call quiet,DATA)cp $< $@

# One measure word per line, sorted by bytes, without comments and empty lines.
$(BUILD)/tables/measures.bin: text/data/measures.txt
	@mkdir -p $(@D)
	$(call quiet,DATA)LC_ALL=C sed -e 's/[ \t]*#.*//' -e '/^$$/d' $< | LC_ALL=C sort -u > $@
