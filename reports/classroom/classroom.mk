# SPDX-License-Identifier: GPL-3.0-or-later
# The lesson's style, its script (concatenated modules) and the texts of newswire-zh and newswire-en, embedded in the
# program as fp_table_classroom_css, fp_table_classroom_js and fp_table_classroom_corpus.
CLASSROOM := $(BUILD)/reports/classroom
CLASSROOM_SCRIPTS := $(addprefix reports/classroom/,$(shell sed 's/\#.*//' reports/classroom/order.txt))
CLASSROOM_OBJECTS := $(patsubst %,$(CLASSROOM)/embedded_%.o,css js corpus)

$(CLASSROOM)/classroom.css: reports/classroom/classroom.css
	@mkdir -p $(@D)
	@cp $< $@

$(CLASSROOM)/classroom.js: $(CLASSROOM_SCRIPTS) reports/classroom/order.txt
	@mkdir -p $(@D)
	@cat $(CLASSROOM_SCRIPTS) > $@

# Documents and pairs of each corpus, separated by an empty line. gzip -n (no name, no time): reproducible bytes.
CLASSROOM_TEXTS := $(foreach language,zh en,$(foreach part,docs.jsonl pairs.tsv,corpora/data/newswire-$(language)/$(part)))
$(CLASSROOM)/classroom.corpus: $(CLASSROOM_TEXTS) reports/classroom/classroom.mk
	@mkdir -p $(@D)
	@for part in $(CLASSROOM_TEXTS); do cat $$part; echo; done | gzip -9n > $@

$(CLASSROOM)/embedded_%.o: $(CLASSROOM)/classroom.% text/tables/embed.S $(STAMP)
	$(call quiet,DATA)$(EMBED) -DNAME=classroom_$* -DFILE='"$<"' -o $@ text/tables/embed.S
