# SPDX-License-Identifier: GPL-3.0-or-later
# The lab as WebAssembly, $(BUILD)/pages/lab.wasm.gz, and the pages that run it (`make pages`). No other target needs it
# or its tools; without them `fplab page` writes no page and prints a message.
LAB_MODULE := $(BUILD)/pages/lab.wasm.gz
PAGE_FILES := $(addprefix $(BUILD)/pages/,classroom.html playground.html)
PAGE_SUMS := $(BUILD)/pages/SHA256SUMS
LAB_CLANG ?= $(call found,clang-14 clang)
LAB_AR ?= $(call found,llvm-ar-14 llvm-ar)
# "yes" if this machine can compile and link WebAssembly; empty in cross-compilation.
LAB_BUILDABLE = $(if $(CC_FOR_BUILD),,$(if $(shell command -v $(LAB_AR) 2>/dev/null),$(shell echo 'int main(void) { return 0; }' | \
    $(LAB_CLANG) --target=wasm32-wasi -x c - -o /dev/null >/dev/null 2>&1 && echo yes)))

# The library without system calls (files, plug-ins), ICU's dictionary and other encodings; corpora only in memory.
LAB_APART := base/reader.c base/output.c base/libraries.c text/segmentation/icu_segmenter.c text/unicode/encoding.c \
    algorithms/arms/plugin.c text/unicode/conversion.c
LAB_CORPORA := json json_writer read source line_blocks part row scores
LAB_SOURCES := $(filter-out $(LAB_APART),$(call sources,base text algorithms eval reports/lab) \
    $(wildcard pairs/posting*.c pairs/lsh_tables.c pairs/band_keys.c corpora/corruption/*.c) $(LAB_CORPORA:%=corpora/%.c)) $(sort $(wildcard reports/lab/wasm/*.c))
LAB_MEMBERS := $(patsubst %.c,$(BUILD)/pages/%.o,$(filter-out reports/lab/wasm/module.c,$(LAB_SOURCES)))
LAB_TABLES := $(TABLES) unicode
LAB_TABLE_OBJECTS := $(LAB_TABLES:%=$(BUILD)/pages/tables/%.o)

# Only system headers that are the same for every processor.
LAB_HEADERS := $(addprefix $(BUILD)/pages/include/,gsl unicode nettle xxhash.h xxh3.h)
LAB_FLAGS := --target=wasm32-wasi -std=c17 -O3 -ffp-contract=off -fvisibility=hidden -ffunction-sections -fdata-sections -D_GNU_SOURCE \
    -I. -Iinclude -isystem reports/lab/wasm/include -isystem $(BUILD)/pages/include
# The stack comes first, so that an overflow traps instead of overwriting data.
LAB_LINK := -mexec-model=reactor -Wl,--gc-sections -Wl,-z,stack-size=1048576 -Wl,--stack-first -Wl,--strip-all
LAB_STAMP := $(BUILD)/pages/flags

# One digest of the inputs of the pages, stored in them and in the program (cli/commands/page.c): sources of the module,
# every header that they could include, tables; styles, scripts and texts.
LAB_DIGESTED := $(sort $(LAB_SOURCES) text/tables/compile_unicode.c $(wildcard $(foreach room,$(LIBRARY_ROOMS) reports/lab include, \
    $(foreach ending,h def,$(room)/*.$(ending) $(room)/*/*.$(ending) $(room)/*/*/*.$(ending))))) $(TABLES:%=$(BUILD)/tables/%.bin) \
    reports/web/make_page.sh $(sort $(wildcard $(foreach place,lab page classroom playground,reports/$(place)/*.js reports/$(place)/*.css)) \
    $(wildcard $(foreach corpus,newswire-zh newswire-en,corpora/data/$(corpus)/docs.jsonl corpora/data/$(corpus)/pairs.tsv)))
LAB_DIGEST := $(BUILD)/pages/digest

$(LAB_STAMP): FORCE
	@$(call keep,$(LAB_CLANG) $(LAB_FLAGS) $(LAB_LINK) $(TABLE_DATA))

# The list of inputs: adding or removing a file also changes the module.
$(LAB_DIGEST).of: FORCE
	@$(call keep,$(LAB_DIGESTED))

$(LAB_DIGEST): $(LAB_DIGESTED) $(LAB_DIGEST).of
	@$(call renew,cat $(LAB_DIGESTED) | sha256sum | cut -d' ' -f1)

$(LAB_HEADERS): $(LAB_STAMP)
	@mkdir -p $(@D)
	@place=$$(for place in $(shell $(PKG_CONFIG) --variable=includedir gsl libxxhash icu-uc nettle) /usr/include; do \
	    [ ! -e "$$place/$(@F)" ] || { echo "$$place/$(@F)"; break; }; done); \
	    [ -n "$$place" ] || { echo "fplab: the header $(@F) is missing; .ci/setup pages installs it" >&2; exit 1; }; ln -sfn "$$place" $@

$(BUILD)/pages/%.o: %.c $(LAB_STAMP) | $(LAB_HEADERS)
	@mkdir -p $(@D)
	$(call quiet,WASM)$(LAB_CLANG) $(LAB_FLAGS) -MMD -MP -c -o $@ $<

ifndef CC_FOR_BUILD
$(BUILD)/tables/compile_unicode: text/tables/compile_unicode.c reports/lab/wasm/unicode_table.h text/tables/compile.h $(STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC  )$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(LIBS)

$(BUILD)/tables/unicode.bin: $(BUILD)/tables/compile_unicode
	$< $@
endif

$(BUILD)/pages/tables/%.o: $(BUILD)/tables/%.bin text/tables/embed.S $(LAB_STAMP)
	@mkdir -p $(@D)
	$(call quiet,DATA)$(LAB_CLANG) --target=wasm32-wasi -c -DNAME=$* -DFILE='"$<"' -o $@ text/tables/embed.S

# An archive: the linker takes only the members that it needs.
$(BUILD)/pages/lab.a: $(LAB_MEMBERS)
	@rm -f $@
	$(call quiet,AR  )$(LAB_AR) rcs $@ $^

$(BUILD)/pages/lab.wasm: $(BUILD)/pages/reports/lab/wasm/module.o $(BUILD)/pages/lab.a $(LAB_TABLE_OBJECTS)
	$(call quiet,LINK)$(LAB_CLANG) --target=wasm32-wasi $(LAB_LINK) -o $@ $^

$(LAB_MODULE): $(BUILD)/pages/lab.wasm
	$(call quiet,GZIP)gzip -9nc $< > $@

# Pages open in the browser's language. Same sources give same bytes: a release publishes their checksums. $(1): title, style, script and,
# if it has any, texts.
page = $(call quiet,PAGE)reports/web/make_page.sh '$(1)' $(2) $(3) $(LAB_MODULE) $(LAB_DIGEST) $(4) > $@.part && mv $@.part $@

$(PAGE_SUMS): $(PAGE_FILES)
	@cd $(@D) && sha256sum $(notdir $(PAGE_FILES)) > $(@F)

-include $(LAB_MEMBERS:.o=.d) $(BUILD)/pages/reports/lab/wasm/module.d
