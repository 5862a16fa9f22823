# SPDX-License-Identifier: GPL-3.0-or-later
# The lesson: its style, its script (concatenated modules) and the texts of newswire-zh and newswire-en.
CLASSROOM := $(BUILD)/reports/classroom
CLASSROOM_STYLES := reports/page/common.css reports/classroom/classroom.css
CLASSROOM_SCRIPTS := reports/lab/lab.js reports/page/common.js $(addprefix reports/classroom/,$(shell sed 's/\#.*//' reports/classroom/order.txt))

$(CLASSROOM)/classroom.css: $(CLASSROOM_STYLES) reports/classroom/classroom.mk
	@mkdir -p $(@D)
	@cat $(CLASSROOM_STYLES) > $@

$(CLASSROOM)/classroom.js: $(CLASSROOM_SCRIPTS) reports/classroom/order.txt reports/classroom/classroom.mk
	@mkdir -p $(@D)
	@cat $(CLASSROOM_SCRIPTS) > $@

# Documents and pairs of each corpus, separated by an empty line. gzip -n (no name, no time): reproducible bytes.
CLASSROOM_TEXTS := $(foreach language,zh en,$(foreach part,docs.jsonl pairs.tsv,corpora/data/newswire-$(language)/$(part)))
$(CLASSROOM)/classroom.corpus: $(CLASSROOM_TEXTS) reports/classroom/classroom.mk
	@mkdir -p $(@D)
	@for part in $(CLASSROOM_TEXTS); do cat $$part; echo; done | gzip -9n > $@

$(BUILD)/pages/classroom.html: $(addprefix $(CLASSROOM)/classroom.,css js corpus) $(LAB_MODULE) $(LAB_DIGEST) reports/web/make_page.sh
	$(call page,Text fingerprints: a lesson,$(CLASSROOM)/classroom.css,$(CLASSROOM)/classroom.js,$(CLASSROOM)/classroom.corpus)
