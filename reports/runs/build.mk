# SPDX-License-Identifier: GPL-3.0-or-later
# Build facts: the commit, the packages whose data the tables were compiled from, the checksums of the tables, the
# digest of the lab that the pages run. Every build checks facts.h and writes it only if it changes, so that nothing is
# recompiled without need.
BUILD_FACTS := $(BUILD)/facts.h
TABLE_PACKAGES := python3-jieba unicode-data rime-data-pinyin-simp opencc libopencc-data libicu-dev

# Computes a table's checksum when the table is made, not in every build.
$(BUILD)/tables/%.sum: $(BUILD)/tables/%.bin
	@sha256sum <$< | cut -d' ' -f1 >$@

$(BUILD_FACTS): $(TABLES:%=$(BUILD)/tables/%.sum) $(LAB_DIGEST) FORCE
	@$(call renew,reports/runs/build_facts.sh "$(BUILD)/tables" "$(TABLES)" "$(TABLE_PACKAGES)" $(LAB_DIGEST))

# An order-only prerequisite of tests: a change rebuilds no test.
BUILD_OBJECT := $(BUILD)/reports/runs/build.o
$(BUILD)/reports/runs/build.o: $(BUILD_FACTS)
$(BUILD)/reports/runs/build.o: INCLUDES += -I$(BUILD)
