# SPDX-License-Identifier: GPL-3.0-or-later
# What a program was built from: the commit, the packages whose data the tables were compiled from, the checksums of the tables, the
# digest of the lab that the pages run.
# facts.h is looked at in every build, and written only when it says something else, so that nothing is compiled without need.
BUILD_FACTS := $(BUILD)/facts.h
TABLE_PACKAGES := python3-jieba unicode-data rime-data-pinyin-simp opencc libopencc-data libicu-dev

# A table is summed when it is made, and not in every build.
$(BUILD)/tables/%.sum: $(BUILD)/tables/%.bin
	@sha256sum <$< | cut -d' ' -f1 >$@

$(BUILD_FACTS): $(TABLES:%=$(BUILD)/tables/%.sum) $(LAB_DIGEST) FORCE
	@$(call renew,reports/runs/build_facts.sh "$(BUILD)/tables" "$(TABLES)" "$(TABLE_PACKAGES)" $(LAB_DIGEST))

# Its object is no reason to make a test anew.
BUILD_OBJECT := $(BUILD)/reports/runs/build.o
$(BUILD)/reports/runs/build.o: $(BUILD_FACTS)
$(BUILD)/reports/runs/build.o: INCLUDES += -I$(BUILD)
