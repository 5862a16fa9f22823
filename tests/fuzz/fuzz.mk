# SPDX-License-Identifier: GPL-3.0-or-later
# The fuzzer: one harness with a target for each reader (tests/fuzz/targets.def), built with clang's libFuzzer and
# sanitizers. `replay` runs saved inputs without libFuzzer.
FUZZ_OBJECTS := $(call objects,tests/fuzz/targets.c $(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_NEEDS := tests/fuzz/harness.c tests/fuzz/fuzz.h $(FUZZ_OBJECTS) $(REPORT_OBJECTS) $(STATIC) $(STAMP)
FUZZ_LINK = $(COMPILE) $(LINK) -o $@ $(filter %.c %.o,$^) $(BUILD_OBJECT) $(STATIC) $(LIBS)

$(BUILD)/tests/fuzz/replay: $(FUZZ_NEEDS) | $(BUILD_OBJECT)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(FUZZ_LINK)

$(BUILD)/tests/fuzz/fuzz: $(FUZZ_NEEDS) | $(BUILD_OBJECT)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(FUZZ_LINK) -DFUZZ_ENGINE -fsanitize=fuzzer

# Run time of each target.
SECONDS ?= 60
FUZZ_WITH := CC=clang CXX=clang++ OPT="-O2 -g" BUILD=$(BUILD)/fuzz \
    SANITIZE="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer"

run-fuzz: all
	@$(MAKE) --no-print-directory -j$(JOBS) $(FUZZ_WITH) $(BUILD)/fuzz/tests/fuzz/fuzz
	@FPLAB=$(PROGRAM) tests/fuzz/run_fuzz.sh $(BUILD)/fuzz $(SECONDS) $(TARGETS)

-include $(FUZZ_OBJECTS:.o=.d) $(BUILD)/tests/fuzz/replay.d $(BUILD)/tests/fuzz/fuzz.d
