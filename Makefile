# SPDX-License-Identifier: GPL-3.0-or-later
# fplab - the laboratory for text fingerprints. `make help` lists the targets.

CC ?= gcc
PREFIX ?= /usr/local
BUILD ?= build
OPT ?= -O3 -g
# For example SANITIZE="-fsanitize=address,undefined" BUILD=build/sanitize.
SANITIZE ?=
# V=1 shows the commands.
V ?=
quiet = $(if $(V),,@echo "$(1) $@";)
JOBS := $(shell nproc 2>/dev/null || echo 1)
VERSION := $(shell sed -n 's/^\#define FP_VERSION "\(.*\)"/\1/p' include/fplab.h)

PACKAGES := gsl libxxhash icu-uc icu-i18n popt smartcols zlib libzstd nettle
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
PACKAGE_CFLAGS := $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
PACKAGE_LIBS := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)
INCLUDES := -I. -Iinclude -D_GNU_SOURCE $(PACKAGE_CFLAGS) $(CPPFLAGS)
# No contraction: the same sums on every machine.
FLAGS := -std=c17 $(OPT) -ffp-contract=off -fPIC -fvisibility=default -fopenmp $(WARNINGS) $(SANITIZE) $(CFLAGS)
LINK := -fopenmp $(SANITIZE) $(LDFLAGS)
LIBS := $(PACKAGE_LIBS) -lm
COMPILE = $(CC) $(INCLUDES) $(FLAGS) -MMD -MP

# The rooms of the house, in the order in which includes point.
LIBRARY_ROOMS := base text algorithms index corpora eval
sources = $(sort $(foreach room,$(1),$(wildcard $(room)/*.c $(room)/kernels/*.c)))
objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

.DEFAULT_GOAL := all

include text/tables/tables.mk
include reports/plots.mk

LIBRARY_OBJECTS := $(call objects,$(call sources,$(LIBRARY_ROOMS))) $(TABLE_OBJECTS)
REPORT_OBJECTS := $(call objects,$(call sources,reports)) $(PLOT_OBJECTS)
PROGRAM_OBJECTS := $(call objects,$(call sources,cli)) $(REPORT_OBJECTS)
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/test_*.c)))
BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(sort $(wildcard bench/bench_*.c)))
DRIVERS := $(patsubst tests/deep/%.c,$(BUILD)/tests/deep/%,$(sort $(wildcard tests/deep/*.c)))

PROGRAM := $(BUILD)/bin/fplab
STATIC := $(BUILD)/lib/libfplab.a
SHARED := $(BUILD)/lib/libfplab.so

# Adapters to other fingerprint libraries: plug-ins, built where a program that includes the header and links the library
# can be built. $(call can_link,compiler,language,header,library)
can_link = $(shell echo 'int main(void) { return 0; }' | \
    $(1) $(CPPFLAGS) -include $(3) -x $(2) - $(LDFLAGS) -l$(4) -o /dev/null >/dev/null 2>&1 && echo yes)
HAVE_SSDEEP := $(call can_link,$(CC),c,fuzzy.h,fuzzy)
HAVE_TLSH := $(call can_link,$(CXX),c++,tlsh.h,tlsh)
ADAPTERS := $(if $(HAVE_SSDEEP),$(BUILD)/plugins/ssdeep.so) $(if $(HAVE_TLSH),$(BUILD)/plugins/tlsh.so)

all: require $(PROGRAM) $(STATIC) $(SHARED) $(ADAPTERS) ## build the program and the library

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | sort -u | awk -F'|' '{printf "%-22s %s\n", $$1, $$2}'

demo: ## install what is missing, build, evaluate the five algorithms on newswire-zh, draw the pictures
	@.ci/setup build
	@$(MAKE) --no-print-directory -j$(JOBS) all >/dev/null
	$(PROGRAM) eval --corpus corpora/data/newswire-zh --out demo
	@echo; echo "Tables are in demo/, pictures in demo/plots/: look at demo/plots/newswire-zh-thresholds.png first."

check: ## install what is missing, build, run the quick tests
	@.ci/setup check
	@$(MAKE) --no-print-directory -j$(JOBS) run-check

check-deep: ## the long tests: against jieba, OpenCC, scikit-learn, other compilers, sanitizers
	@.ci/setup deep
	@$(MAKE) --no-print-directory -j$(JOBS) run-check-deep

bench: ## measure speed, as ratios within one run
	@.ci/setup bench
	@$(MAKE) --no-print-directory -j$(JOBS) run-bench

format: ## set the sources as .clang-format says (clang-format 14)
	git ls-files '*.c' '*.h' '*.cc' | xargs clang-format -i

install: all ## install program, library, header and pkg-config file under PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/fplab
	install -m 644 $(STATIC) $(DESTDIR)$(PREFIX)/lib/libfplab.a
	install -m 755 $(SHARED) $(DESTDIR)$(PREFIX)/lib/libfplab.so.0
	ln -sf libfplab.so.0 $(DESTDIR)$(PREFIX)/lib/libfplab.so
	install -m 644 include/fplab.h $(DESTDIR)$(PREFIX)/include/fplab.h
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@PACKAGES@|$(PACKAGES)|' base/fplab.pc.in \
	    > $(DESTDIR)$(PREFIX)/lib/pkgconfig/fplab.pc

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/fplab $(DESTDIR)$(PREFIX)/lib/libfplab.a $(DESTDIR)$(PREFIX)/lib/libfplab.so \
	    $(DESTDIR)$(PREFIX)/lib/libfplab.so.0 $(DESTDIR)$(PREFIX)/include/fplab.h $(DESTDIR)$(PREFIX)/lib/pkgconfig/fplab.pc

clean: ## remove everything that was built
	rm -rf $(BUILD) demo

require:
	@pkg-config --exists $(PACKAGES) || { echo "fplab: libraries are missing; \`make demo\` installs them, or .ci/setup build" >&2; exit 1; }

tests: all $(TESTS)

run-check: tests
	FPLAB=$(PROGRAM) BUILD=$(BUILD) tests/run $(TESTS) $(sort $(wildcard tests/test_*.sh))

run-check-deep: tests $(DRIVERS)
	FPLAB=$(PROGRAM) BUILD=$(BUILD) tests/run $(sort $(wildcard tests/deep/test_*.sh tests/deep/test_*.py))

run-bench: all $(BENCHES)
	@for bench in $(BENCHES); do echo "== $$bench"; $$bench || exit 1; done

$(PROGRAM): $(PROGRAM_OBJECTS) $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(LINK) -rdynamic -o $@ $^ $(LIBS)

$(STATIC): $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quiet,AR  )$(AR) rcs $@ $^

$(SHARED): $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(LINK) -shared -Wl,-soname,libfplab.so.0 -o $@ $^ $(LIBS)

$(BUILD)/plugins/ssdeep.so: algorithms/adapters/ssdeep.c include/fplab.h
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) -Iinclude $(FLAGS) -shared -o $@ $< -lfuzzy

$(BUILD)/plugins/tlsh.so: algorithms/adapters/tlsh.cc include/fplab.h
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CXX) -Iinclude -std=c++17 $(OPT) -fPIC -Wall -Wextra -Wshadow $(SANITIZE) -shared -o $@ $< -ltlsh

$(BUILD)/tests/%: tests/%.c $(REPORT_OBJECTS) $(STATIC)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(COMPILE) $(LINK) -o $@ $< $(REPORT_OBJECTS) $(STATIC) -lcmocka $(LIBS)

$(BUILD)/bench/%: bench/%.c $(STATIC)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(COMPILE) $(LINK) -o $@ $< $(STATIC) $(LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call quiet,CC  )$(COMPILE) -c -o $@ $<

.PHONY: all help demo check check-deep bench format install uninstall clean require tests run-check run-check-deep run-bench
.DELETE_ON_ERROR:

-include $(patsubst %.o,%.d,$(LIBRARY_OBJECTS) $(PROGRAM_OBJECTS)) $(addsuffix .d,$(TESTS) $(BENCHES) $(DRIVERS))
