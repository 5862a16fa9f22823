# SPDX-License-Identifier: GPL-3.0-or-later
# The script that reads public sets, embedded in the library as fp_table_sets … fp_table_sets_end.
SETS_OBJECT := $(BUILD)/corpora/importing/sets.o

$(SETS_OBJECT): corpora/importing/sets.py text/tables/embed.S $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,DATA)$(EMBED) -DNAME=sets -DFILE='"$<"' -o $@ text/tables/embed.S
