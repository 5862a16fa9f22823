# SPDX-License-Identifier: GPL-3.0-or-later
# fplab - the laboratory for text fingerprints. `make help` lists the targets.

# No built-in rules: make would try them for each of a thousand files at every start.
MAKEFLAGS += --no-builtin-rules

# The compilers: GNU's if installed, else clang's. make's default, cc, counts as not chosen by the user.
found = $(firstword $(foreach name,$(1),$(if $(shell command -v $(name) 2>/dev/null),$(name))) $(1))
ifeq ($(origin CC),default)
CC := $(call found,gcc clang)
endif
ifeq ($(origin CXX),default)
CXX := $(call found,g++ clang++)
endif
PKG_CONFIG ?= pkg-config
# For cross-compilation: CC, AR and PKG_CONFIG are those of the target; CC_FOR_BUILD compiles the programs that compile
# the tables on this machine; EMULATOR runs fplab to write the manual, for example "qemu-aarch64-static -L ROOT".
CC_FOR_BUILD ?=
EMULATOR ?=
PREFIX ?= /usr/local
# Directory of libraries, below PREFIX: lib/x86_64-linux-gnu for example.
LIBDIR ?= lib
BUILD ?= build
# Output directory of `make demo`.
DEMO ?= demo
# Output directory of `make corpora`.
CORPORA ?= $(BUILD)/corpora/natural
OPT ?= -O3 -g
# For example SANITIZE="-fsanitize=address,undefined" BUILD=build/sanitize.
SANITIZE ?=
# V=1 shows the commands.
V ?=
quiet = $(if $(V),,@echo "$(1) $@";)
JOBS := $(shell nproc 2>/dev/null || echo 1)
$(if $(word 2,$(BUILD)),$(error BUILD may hold no space: make cannot name files that do))
VERSION := $(shell sed -n 's/^\#define FP_VERSION "\(.*\)"/\1/p' include/fplab/version.h)
HEADERS := $(wildcard include/*.h include/*/*.h)
# Name of the file libfplab.so.N. Raise N when a change breaks programs that were linked before it.
SONAME := libfplab.so.1

PACKAGES := gsl libxxhash icu-uc icu-i18n zlib libzstd nettle sqlite3 hiredis libxml-2.0 md4c
# Redis over TLS, if hiredis has it.
HIREDIS_TLS := $(shell $(PKG_CONFIG) --exists hiredis_ssl 2>/dev/null && echo hiredis_ssl)
PACKAGES += $(HIREDIS_TLS)
# -Werror where warnings are errors, as in .ci/run. It changes no object, so changing it rebuilds nothing.
WERROR ?=
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-qual
# -isystem: no warnings from the headers of other packages.
PACKAGE_CFLAGS := $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null))
PACKAGE_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null)
INCLUDES := -I. -Iinclude -D_GNU_SOURCE $(if $(HIREDIS_TLS),-DFP_REDIS_TLS) $(PACKAGE_CFLAGS) $(CPPFLAGS)

# Hardening flags that the compiler accepts; HARDEN= HARDEN_LINK= builds without. FORTIFY needs an optimised build and
# disturbs the sanitizers.
accepts = $(shell printf '%s\n' '$(hash)include <stdio.h>' 'int main(void) { return puts("") < 0; }' | \
    $(CC) -Werror -O2 $(1) -x c - -o /dev/null >/dev/null 2>&1 && echo yes)
accepted = $(if $(call accepts,$(1)),$(1),$(foreach flag,$(1),$(if $(call accepts,$(flag)),$(flag))))
hash := \#
fortified = $(if $(call accepts,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
optimised = $(filter-out -O0,$(lastword $(filter -O%,$(OPT) $(CFLAGS))))
sanitized = $(findstring -fsanitize,$(SANITIZE) $(CFLAGS))
HARDEN ?= $(call accepted,-fstack-protector-strong -fstack-clash-protection -fcf-protection) $(if $(optimised),$(if $(sanitized),,$(fortified)))
READ_ONLY := -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack
HARDEN_LINK ?= $(call accepted,$(READ_ONLY))
HARDEN := $(HARDEN)
HARDEN_LINK := $(HARDEN_LINK)

# -ffp-contract=off: the same sums on every machine.
FLAGS := -std=c17 $(OPT) $(HARDEN) -ffp-contract=off -fPIC -fvisibility=hidden -pthread $(WARNINGS) $(WERROR) $(SANITIZE) $(CFLAGS)
CXX_FLAGS := -std=c++17 $(OPT) $(HARDEN) -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow $(WERROR) $(SANITIZE) $(CXXFLAGS)
LINK := -pthread $(HARDEN_LINK) $(SANITIZE) $(LDFLAGS)
LIBS := $(PACKAGE_LIBS) -lm
# libfplab.so loads SQLite and hiredis on demand (base/libraries.c) and drops code that no exported function reaches,
# such as the HTML reader. Builds with sanitizers, profiling or coverage keep and link everything.
instrumented = $(findstring -fsanitize,$(SANITIZE) $(CFLAGS))$(findstring -fprofile,$(CFLAGS))$(findstring --coverage,$(CFLAGS))
LOADED := sqlite3 hiredis
SHARED_LIBS := $(if $(instrumented),,-Wl,--gc-sections -Wl,-z,defs) \
    $(shell $(PKG_CONFIG) --libs $(filter-out $(LOADED) $(if $(instrumented),,libxml-2.0 md4c),$(PACKAGES)) 2>/dev/null) -lm
COMPILE = $(CC) $(INCLUDES) $(FLAGS) -MMD -MP
# Makes objects of tables and scripts.
EMBED = $(CC) $(HARDEN) -c

# All commands and flags of the build. The file is written only when they change, and then everything is rebuilt.
BUILT_WITH = $(filter-out $(WERROR),$(COMPILE) $(CXX) $(CXX_FLAGS) $(LINK) $(LIBS) $(TABLE_DATA))
STAMP := $(BUILD)/flags
quoted = '$(subst ','\'',$(1))'
# $(call keep,text[,command]): if the target does not hold the text, writes it there and runs the command.
keep = mkdir -p $(@D); printf '%s\n' $(call quoted,$(1)) | cmp -s - $@ || { printf '%s\n' $(call quoted,$(1)) >$@$(if $(2),; $(2)); }
# $(call renew,command): writes the command's output into the target if it differs. Goes through a file per process,
# since tests run make in parallel.
renew = mkdir -p $(@D); { $(1); } >$@.$$$$ || { rm -f $@.$$$$; exit 1; }; if cmp -s $@.$$$$ $@; then rm -f $@.$$$$; else mv -f $@.$$$$ $@; fi

# The directories of the library, in the order of the includes: each includes only earlier ones.
LIBRARY_ROOMS := base text algorithms pairs index corpora eval reports/tables reports/analyses
# Left out: table compilers (separate programs), adapters (plug-ins), and the sources of the WebAssembly module.
apart := text/tables/% algorithms/adapters/% reports/lab/wasm/%
sources = $(filter-out $(apart),$(sort $(foreach room,$(1),$(wildcard $(room)/*.c $(room)/*/*.c $(room)/*/*/*.c))))
objects = $(patsubst %.c,$(BUILD)/%.o,$(1))

.DEFAULT_GOAL := all

# The table compilers exit without freeing memory.
$(BUILD)/tables/%: export ASAN_OPTIONS := detect_leaks=0
include text/tables/tables.mk
include corpora/importing/sets.mk
include reports/plots/plots.mk
include reports/page/page.mk
include reports/lab/lab.mk
include reports/playground/playground.mk
include reports/classroom/classroom.mk
include reports/runs/build.mk

LIBRARY_OBJECTS := $(call objects,$(call sources,$(LIBRARY_ROOMS))) $(TABLE_OBJECTS) $(SETS_OBJECT)
REPORT_OBJECTS := $(filter-out $(BUILD_OBJECT) $(LIBRARY_OBJECTS),$(call objects,$(call sources,reports))) $(PLOT_OBJECTS) $(PAGE_OBJECTS)
PROGRAM_OBJECTS := $(call objects,$(call sources,cli)) $(REPORT_OBJECTS) $(BUILD_OBJECT)
# tests/ mirrors the source directories. tests/slow lists the slow tests.
SLOW_NAMES := $(shell sed '/^\#/d' tests/slow)
SLOW := $(foreach name,$(SLOW_NAMES),$(filter tests/$(name).sh tests/$(name).py $(BUILD)/tests/$(name),$(wildcard tests/$(name).sh tests/$(name).py) $(if $(wildcard tests/$(name).c),$(BUILD)/tests/$(name))))
quick = $(filter-out tests/deep/%,$(sort $(wildcard tests/*/$(1) tests/*/*/$(1) tests/*/*/*/$(1))))
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(call quick,test_*.c))
# Each processing stage and its speed limit, for bench/bench.py.
STAGES := $(BUILD)/bench/stages
DRIVERS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/deep/*/*.c)))

# For failed allocations (tests/base/memory_check.py): a library that makes one fail, and fplab with arenas that
# allocate each piece separately.
MEMORY_TESTS := $(BUILD)/tests/base/fail_allocation.so $(BUILD)/tests/base/single_arena
# For failed system calls (tests/base/fault_check.py): a program that makes one fail, and its preloaded library.
FAULT_TESTS := $(BUILD)/tests/base/fault $(BUILD)/tests/base/fault_shim.so

# A program that writes records and that tests kill.
RECORD_WRITER := $(BUILD)/tests/index/store/record_writer

PROGRAM := $(BUILD)/bin/fplab
STATIC := $(BUILD)/lib/libfplab.a
SHARED := $(BUILD)/lib/libfplab.so
COMMANDS := $(shell sed -n 's/^COMMAND(\(.*\))$$/\1/p' cli/commands.def)
PARTS := $(foreach list,$(wildcard cli/commands/*/parts.def),$(addprefix $(notdir $(list:/parts.def=))-,$(shell sed -n 's/^PART(\(.*\))$$/\1/p' $(list))))
COMPLETIONS := $(addprefix $(BUILD)/completions/,bash zsh fish)
COMPLETION_PLACES := share/bash-completion/completions/fplab share/zsh/site-functions/_fplab share/fish/vendor_completions.d/fplab.fish
# The shipped corpora; `make install` installs them too.
CORPUS_FILES := $(sort $(wildcard corpora/data/*/*))
CORPUS_PLACES := $(CORPUS_FILES:corpora/data/%=share/fplab/corpora/%)
MAN_PAGES := $(patsubst %,$(BUILD)/man/%.1,fplab $(addprefix fplab-,$(COMMANDS) $(PARTS)))

# Adapters to other fingerprint libraries: plug-ins, built if a program that includes the header links with the library.
# $(call can_link,compiler,language,header,library). Without --coverage, which would leave a .gcno file here.
can_link = $(shell echo 'int main(void) { return 0; }' | \
    $(1) $(CPPFLAGS) -include $(3) -x $(2) - $(filter-out --coverage,$(LDFLAGS)) -l$(4) -o /dev/null >/dev/null 2>&1 && echo yes)
HAVE_SSDEEP := $(call can_link,$(CC),c,fuzzy.h,fuzzy)
HAVE_TLSH := $(call can_link,$(CXX),c++,tlsh.h,tlsh)
ADAPTERS := $(if $(HAVE_SSDEEP),$(BUILD)/plugins/ssdeep.so) $(if $(HAVE_TLSH),$(BUILD)/plugins/tlsh.so)
ADAPTERS_FOUND := adapters: ssdeep $(if $(HAVE_SSDEEP),yes,no (libfuzzy-dev)), tlsh $(if $(HAVE_TLSH),yes,no (libtlsh-dev))

all: $(PROGRAM) $(STATIC) $(SHARED) $(ADAPTERS) $(BUILD)/adapters ## build the program and the library

help: ## list the targets and the variables
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | sort -u | awk -F'|' '{printf "%-22s %s\n", $$1, $$2}'
	@echo "Variables: BUILD=$(BUILD) DEMO=$(DEMO) CORPORA=$(CORPORA) PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) DESTDIR=$(DESTDIR) CC=$(CC) OPT=\"$(OPT)\" CFLAGS LDFLAGS SANITIZE HARDEN WERROR V=1"

demo: ## install missing packages, build, evaluate the five algorithms on newswire-zh, write tables, pictures and a report
	@.ci/setup build
	@$(MAKE) --no-print-directory -j$(JOBS) all >/dev/null
	$(PROGRAM) eval --corpus corpora/data/newswire-zh --out $(call quoted,$(DEMO)) --report
	@printf '\nOpen the report in a browser: %s/index.html. Tables are in %s/, pictures in %s/plots/.\n' $(foreach n,1 2 3,$(call quoted,$(DEMO)))

check: ## install missing packages, build, run the quick tests
	@.ci/setup check
	@$(MAKE) --no-print-directory -j$(JOBS) run-check

check-deep: ## run the long tests: other programs, clang, statistical laws, interval coverage, sanitizers, valgrind, fresh Debians
	@.ci/setup deep
	@$(MAKE) --no-print-directory -j$(JOBS) run-slow
	@$(MAKE) --no-print-directory -j$(JOBS) run-check-deep

fuzz: ## run every fuzz target for SECONDS seconds (60), starting from its seeds
	@.ci/setup fuzz
	@$(MAKE) --no-print-directory -j$(JOBS) run-fuzz

bench: ## measure speed: ratios of every stage to its limit and to comparable libraries, within one run
	@.ci/setup bench
	@$(MAKE) --no-print-directory -j$(JOBS) run-bench

pages: ## write classroom.html, playground.html and their SHA256SUMS into build/pages (needs clang, lld, wasi-libc)
	@.ci/setup pages
	@$(MAKE) --no-print-directory -j$(JOBS) $(PAGE_SUMS)
	@echo "$(PAGE_FILES) $(PAGE_SUMS)"

dist: ## write the release of this commit into build/dist: source archive, classroom.html, playground.html, SHA256SUMS
	@git diff --quiet HEAD -- || { echo "fplab: uncommitted changes would not be in the source archive: commit or revert them" >&2; exit 1; }
	@.ci/setup pages
	@$(MAKE) --no-print-directory -j$(JOBS) $(PAGE_FILES) $(DIST_ARCHIVE)
	@cp $(PAGE_FILES) $(dir $(DIST_ARCHIVE))
	@cd $(dir $(DIST_ARCHIVE)) && sha256sum $(notdir $(PAGE_FILES) $(DIST_ARCHIVE)) | tee SHA256SUMS

# The same bytes in every clone: git sorts the files and sets the time of the commit.
DIST_ARCHIVE := $(BUILD)/dist/fplab-$(VERSION).tar.gz
$(DIST_ARCHIVE): FORCE
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call quiet,TAR )git -c tar.umask=0022 archive --format=tar --prefix=fplab-$(VERSION)/ HEAD | gzip -9n >$@

corpora: ## build labelled corpora from Debian packages (docs/natural-corpora.md)
	@.ci/setup corpora
	@$(MAKE) --no-print-directory -j$(JOBS) all >/dev/null
	corpora/natural/build_corpora.sh $(PROGRAM) $(call quoted,$(CORPORA))

lint: ## run clang-tidy, cppcheck and clang-format; fails on any finding
	@.ci/setup lint
	@$(MAKE) --no-print-directory run-lint

run-lint: $(BUILD_FACTS)
	@tests/lint/lint.sh -std=c17 $(INCLUDES) -I$(BUILD)

format: ## format the sources with clang-format 14
	@.ci/setup format
	git ls-files '*.c' '*.h' '*.cc' | xargs clang-format -i

gallery: ## redraw the pictures of docs/gallery.md and rewrite the page
	@.ci/setup build
	@$(MAKE) --no-print-directory -j$(JOBS) all >/dev/null
	FPLAB=$(PROGRAM) docs/gallery.sh

python: ## build the Python package in build/python, for PYTHONPATH (needs python3-cffi, python3-setuptools)
	@.ci/setup python
	@$(MAKE) --no-print-directory -j$(JOBS) $(PYTHON_BUILT)

# The extension's run path is this build's library directory.
PYTHON ?= /usr/bin/python3
PYTHON_SOURCES := $(wildcard python/*.py python/*.cfg python/*.toml python/fplab/*)
PYTHON_BUILT := $(BUILD)/python/built
$(PYTHON_BUILT): $(PYTHON_SOURCES) $(SHARED) $(HEADERS)
	$(call quiet,PY  )rm -rf $(BUILD)/python && mkdir -p $(BUILD)/python && cd python && \
	    FPLAB_BUILD=$(abspath $(BUILD)) CC=$(call quoted,$(CC)) CFLAGS=$(call quoted,$(SANITIZE)) $(PYTHON) setup.py -q build --build-base $(abspath $(BUILD))/python/work \
	    --build-lib $(abspath $(BUILD))/python >$(abspath $(BUILD))/python/log 2>&1 || { cat $(abspath $(BUILD))/python/log; exit 1; }
	@touch $@

man: $(MAN_PAGES) ## write the manual pages

$(BUILD)/man/fplab.1: $(PROGRAM)
	@mkdir -p $(@D)
	$(EMULATOR) $(PROGRAM) --man > $@

$(BUILD)/man/fplab-%.1: $(PROGRAM)
	@mkdir -p $(@D)
	$(EMULATOR) $(PROGRAM) --man $* > $@

$(BUILD)/completions/%: $(PROGRAM)
	@mkdir -p $(@D)
	$(EMULATOR) $(PROGRAM) --completion $* > $@

install: ## install program, library, headers, corpora, pages, manual, completion and pkg-config file under DESTDIR/PREFIX
	@.ci/setup build
	@$(MAKE) --no-print-directory -j$(JOBS) all man $(COMPLETIONS)
	@$(MAKE) --no-print-directory install-files
	@# Updates the loader's cache if root installs into this system.
	@[ -n $(call quoted,$(DESTDIR)) ] || [ "$$(id -u)" != 0 ] || ! command -v ldconfig >/dev/null || ldconfig

# Pages are installed if this machine can build them; PAGES= omits them.
PAGES ?= $(LAB_BUILDABLE)

# For packagers: builds and copies, fetches nothing.
install-files: all man $(COMPLETIONS)
	install -d $(foreach d,bin $(LIBDIR)/pkgconfig include/fplab share/man/man1 $(dir $(COMPLETION_PLACES)) $(sort $(dir $(CORPUS_PLACES))),$(call into,$(d)))
	install -m 755 $(PROGRAM) $(call into,bin/fplab)
	install -m 644 $(STATIC) $(call into,$(LIBDIR)/libfplab.a)
	install -m 755 $(SHARED) $(call into,$(LIBDIR)/$(SONAME))
	ln -sf $(SONAME) $(call into,$(LIBDIR)/libfplab.so)
	$(foreach header,$(HEADERS),install -m 644 $(header) $(call into,$(header)) &&) :
	$(foreach file,$(CORPUS_FILES),install -m 644 $(file) $(call into,$(file:corpora/data/%=share/fplab/corpora/%)) &&) :
	install -m 644 $(MAN_PAGES) $(call into,share/man/man1)
	install -m 644 $(BUILD)/completions/bash $(call into,$(word 1,$(COMPLETION_PLACES)))
	install -m 644 $(BUILD)/completions/zsh $(call into,$(word 2,$(COMPLETION_PLACES)))
	install -m 644 $(BUILD)/completions/fish $(call into,$(word 3,$(COMPLETION_PLACES)))
	@if [ -n "$(PAGES)" ]; then $(MAKE) --no-print-directory install-pages; \
	    else echo "note: classroom.html and playground.html are not installed: \`make pages\` builds them, with clang-14, lld-14, llvm-14, wasi-libc and libclang-rt-14-dev-wasm32"; fi
	sed -e s$(comma)@PREFIX@$(comma)$(call quoted,$(call replacement,$(PREFIX)))$(comma) -e 's|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@PACKAGES@|$(PACKAGES)|' \
	    base/fplab.pc.in > $(call into,$(LIBDIR)/pkgconfig/fplab.pc)

install-pages: $(PAGE_SUMS)
	install -d $(call into,share/fplab)
	install -m 644 $(PAGE_FILES) $(call into,share/fplab)

uninstall: ## remove the files that install wrote
	rm -f $(foreach file,bin/fplab $(addprefix $(LIBDIR)/,libfplab.a libfplab.so $(SONAME) pkgconfig/fplab.pc) $(HEADERS) $(CORPUS_PLACES) \
	    $(addprefix share/man/man1/,$(notdir $(MAN_PAGES))) $(COMPLETION_PLACES) $(addprefix share/fplab/,$(notdir $(PAGE_FILES)) lab.wasm.gz),$(call into,$(file)))
	@rmdir $(foreach place,include/fplab $(sort $(dir $(CORPUS_PLACES))) share/fplab/corpora share/fplab,$(call into,$(place))) 2>/dev/null || :

# into: a path below PREFIX, quoted for the shell. replacement: a text escaped for sed's s,,, command.
into = $(call quoted,$(DESTDIR)$(PREFIX)/$(1))
comma := ,
replacement = $(subst $(comma),\$(comma),$(subst &,\&,$(subst \,\\,$(1))))

deb: ## build Debian packages of the working tree in build/deb (needs dpkg-dev, debhelper)
	@.ci/setup deb
	@FPLAB_COMMIT=$$(git describe --always --dirty --abbrev=12 --match 'v[0-9]*' 2>/dev/null || echo unknown) debian/build_packages.sh $(call quoted,$(BUILD)/deb)

clean: ## remove the build directory and the demo
	rm -rf $(BUILD) $(call quoted,$(DEMO))

$(STAMP): FORCE
	@$(PKG_CONFIG) --exists $(PACKAGES) || { echo "fplab: libraries are missing: run \`make demo\` or .ci/setup build to install them" >&2; exit 1; }
	@$(call keep,$(BUILT_WITH))

# Printed when it changes, not at every build.
$(BUILD)/adapters: FORCE
	@$(call keep,$(ADAPTERS_FOUND),cat $@ >&2)

FORCE:

tests: all $(TESTS) $(MEMORY_TESTS) $(FAULT_TESTS) $(RECORD_WRITER) $(BUILD)/tests/fuzz/replay

# Tests that compile or call make use this build's settings and commit, so that edits made meanwhile rebuild nothing.
TEST_WITH = FPLAB_COMMIT=$$(sed -n 's/^.define FP_BUILD_COMMIT "\(.*\)"/\1/p' $(BUILD_FACTS)) FPLAB=$(PROGRAM) BUILD=$(BUILD) CC=$(call quoted,$(CC)) CXX=$(call quoted,$(CXX)) OPT=$(call quoted,$(OPT)) SANITIZE=$(call quoted,$(SANITIZE)) DESTDIR=

run-check: tests
	@$(TEST_WITH) tests/run $(filter-out $(SLOW),$(call quick,test_*.sh) $(call quick,test_*.py) $(TESTS))

run-slow: tests
	@$(TEST_WITH) tests/run $(SLOW)

T ?=
test: all $(filter $(BUILD)/%,$(T)) ## run the tests T, for example T=tests/cli/test_align.sh or T=build/tests/base/test_arena
	@$(TEST_WITH) tests/run $(T)

# The C tests only; they need only the library.
run-units: $(TESTS) $(RECORD_WRITER)
	@$(TEST_WITH) tests/run $(TESTS)

run-check-deep: tests $(DRIVERS)
	@$(TEST_WITH) JOBS=1 tests/run $(sort $(wildcard tests/deep/*/test_*.sh tests/deep/*/test_*.py))

# Code coverage: an instrumented build runs the quick tests, one failed allocation below every call that allocates, and
# a failure of every FAULTS-th system call; tests/coverage/report.py reports. More failures than the quick tests sample,
# since only they reach the error paths. clang counts source lines, so the build may be optimised. One thread unless a
# test asks for more: two threads lose counts.
COVERAGE := $(BUILD)/coverage
FAULTS ?= 7
COUNTED = BUILD=$(COVERAGE) CC=clang CXX=clang++ OPT=-O2 CFLAGS='-fprofile-instr-generate -fcoverage-mapping' CXXFLAGS='-fprofile-instr-generate -fcoverage-mapping' \
    LDFLAGS=-fprofile-instr-generate HARDEN= SANITIZE=
COUNTS = OMP_NUM_THREADS=1 LLVM_PROFILE_FILE="$$PWD/$(COVERAGE)/counts/%4m.profraw" BUILD=$(COVERAGE)
coverage: ## report lines and branches that tests and injected failures reach; list the rest in build/coverage/unreached.tsv
	@.ci/setup coverage
	@rm -rf $(COVERAGE)/counts
	@LLVM_PROFILE_FILE=/dev/null $(MAKE) --no-print-directory $(COUNTED) -j$(JOBS) tests
	@$(COUNTS) $(MAKE) --no-print-directory $(COUNTED) run-check run-slow || echo "note: tests of exported symbols, of speed and of a full disk may fail in an instrumented build"
	@$(COUNTS) STEP=calls tests/deep/machines/test_memory.sh || [ $$? -eq 77 ] || echo "note: some injected failures were not handled as required (see above); coverage counts them"
	@$(COUNTS) STEP=$(FAULTS) tests/deep/machines/test_faults.sh || [ $$? -eq 77 ] || echo "note: some injected failures were not handled as required (see above); coverage counts them"
	@tests/coverage/report.py $(COVERAGE)

N ?= 300
SEED ?= 1
mutation: ## put N small faults into the evaluator and the kernels; report those that no test detects (N=300 SEED=1)
	@.ci/setup check
	@$(MAKE) --no-print-directory -j$(JOBS) all >/dev/null
	@nice tests/mutation/mutate.py --build $(BUILD) --number $(N) --seed $(SEED)

run-bench: all $(STAGES)
	@CC=$(call quoted,$(CC)) bench/bench.py --stages $(STAGES) --fplab $(PROGRAM) --place $(BUILD)/bench

bench-growth: ## measure and plot time against the number of documents (SIZES); keeps measurements for the next call
	@.ci/setup build
	@$(MAKE) --no-print-directory -j$(JOBS) all >/dev/null
	@bench/growth.py --fplab $(PROGRAM) --out $(BUILD)/bench $(if $(SIZES),--sizes $(SIZES))

bench-compare: ## measure this build beside the build of commit REF
	@[ -n "$(REF)" ] || { echo "bench-compare: REF is missing: make bench-compare REF=COMMIT" >&2; exit 2; }
	@.ci/setup compare
	@$(MAKE) --no-print-directory -j$(JOBS) all $(STAGES) >/dev/null
	@CC=$(call quoted,$(CC)) bench/bench.py --against $(call quoted,$(REF)) --stages $(STAGES) --fplab $(PROGRAM) --place $(BUILD)/bench

$(PROGRAM): $(PROGRAM_OBJECTS) $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(LINK) -pie -rdynamic -o $@ $^ $(LIBS)

$(STATIC): $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quiet,AR  )$(AR) rcs $@ $^

# The file that the loader looks for; below, the link that the linker looks for. `make install` makes the same.
$(BUILD)/lib/$(SONAME): $(filter-out $(BUILD)/base/libraries.o,$(LIBRARY_OBJECTS)) $(BUILD)/lib/libraries.o
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(LINK) -shared -Wl,-soname,$(SONAME) -o $@ $^ $(SHARED_LIBS)

$(BUILD)/lib/libraries.o: base/libraries.c $(BUILD)/lib/loaded.h $(STAMP)
	$(call quiet,CC  )$(COMPILE) -include $(BUILD)/lib/loaded.h -c -o $@ $<

# File names for dlopen, as the linker finds them: #define FP_FILE_sqlite3 "libsqlite3.so.0"
$(BUILD)/lib/loaded.h: $(STAMP)
	@mkdir -p $(@D)
	@echo | $(CC) $(LINK) -shared -Wl,--no-as-needed -x c - -o $@.so $(shell $(PKG_CONFIG) --libs $(LOADED) 2>/dev/null)
	@readelf -d $@.so | sed -n 's/.*(NEEDED).*\[\(lib\(sqlite3\|hiredis\)\.so.*\)\]/#define FP_FILE_\2 "\1"/p' >$@; rm $@.so

$(SHARED): $(BUILD)/lib/$(SONAME)
	@ln -sf $(SONAME) $@

$(BUILD)/plugins/ssdeep.so: algorithms/adapters/ssdeep.c $(HEADERS) $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) -Iinclude $(CPPFLAGS) $(FLAGS) $(LINK) -shared -o $@ $< -lfuzzy

$(BUILD)/plugins/tlsh.so: algorithms/adapters/tlsh.cc $(HEADERS) $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CXX) -Iinclude $(CPPFLAGS) $(CXX_FLAGS) $(HARDEN_LINK) $(LDFLAGS) -shared -o $@ $< -ltlsh

# An archive for tests: the linker takes only the members that it needs.
REPORTS := $(BUILD)/tests/reports.a
$(REPORTS): $(REPORT_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quiet,AR  )$(AR) rcs $@ $^

# Tests run once, so their build time counts: -O1 and gold halve it. At -O1 gcc does not track the ranges of printed
# numbers and would warn of truncation.
TEST_BUILD := $(if $(filter -O3,$(OPT)),$(call accepted,-O1 -g0 -Wno-format-truncation)) $(call accepted,-fuse-ld=gold)

$(BUILD)/tests/%: tests/%.c $(REPORTS) $(STATIC) $(STAMP) | $(BUILD_OBJECT)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(COMPILE) $(TEST_BUILD) $(LINK) -o $@ $< $(REPORTS) $(BUILD_OBJECT) $(STATIC) -lcmocka $(LIBS)

COVERAGE_OBJECTS := $(call objects,$(sort $(wildcard tests/deep/intervals/worlds/*.c)))
$(COVERAGE_OBJECTS): FLAGS += $(COVERAGE_FLAGS)
$(BUILD)/tests/deep/intervals/coverage_real: tests/deep/intervals/coverage_real.c $(COVERAGE_OBJECTS) $(STATIC) $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(COMPILE) $(LINK) -o $@ $< $(COVERAGE_OBJECTS) $(STATIC) $(LIBS)

$(BUILD)/tests/base/fail_allocation.so: tests/base/fail_allocation.c $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(COMPILE) -shared -o $@ $< -ldl

# Both are separate from fplab: no sanitizer, none of its libraries.
$(BUILD)/tests/base/fault: tests/base/fault.c tests/base/fault_calls.h $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(CC) -I. -D_GNU_SOURCE -std=c17 -O2 $(WARNINGS) -o $@ $<

$(BUILD)/tests/base/fault_shim.so: tests/base/fault_shim.c tests/base/fault_calls.h $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(CC) -I. -D_GNU_SOURCE -std=c17 -O2 -fPIC $(WARNINGS) -shared -o $@ $<

$(BUILD)/tests/base/single_arena: tests/base/single_arena.c $(filter-out $(BUILD)/base/arena.o,$(PROGRAM_OBJECTS) $(LIBRARY_OBJECTS)) $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(COMPILE) $(TEST_BUILD) $(LINK) -pie -rdynamic -o $@ $(filter %.c %.o,$^) $(LIBS)

$(STAGES): $(wildcard bench/stages/*) $(STATIC) $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(filter-out -MMD -MP,$(COMPILE)) $(LINK) -o $@ $(filter bench/%.c,$^) $(STATIC) $(LIBS)

include tests/fuzz/fuzz.mk

# -fno-math-errno vectorises square roots; no caller reads errno.
$(BUILD)/algorithms/kernels/%.o: FLAGS += -fno-math-errno

$(BUILD)/%.o: %.c $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(COMPILE) -c -o $@ $<

.PHONY: all test python dist bench-compare bench-growth fuzz run-fuzz gallery man pages corpora help demo check check-deep bench coverage mutation lint run-lint format install install-files install-pages uninstall deb clean tests run-check run-slow run-units run-check-deep run-bench FORCE
.DELETE_ON_ERROR:

-include $(patsubst %.o,%.d,$(LIBRARY_OBJECTS) $(PROGRAM_OBJECTS)) $(COVERAGE_OBJECTS:.o=.d) $(BUILD)/lib/libraries.d $(addsuffix .d,$(TESTS) $(DRIVERS) $(RECORD_WRITER))
