# SPDX-License-Identifier: GPL-3.0-or-later
# Simplified to traditional Chinese and back, from OpenCC's dictionaries, which han.mk converts to text files.
TABLES += conversion

# In the order of enum fp_opencc.
CONVERSION_TEXTS := $(patsubst %,$(BUILD)/tables/opencc/%.txt,STPhrases STCharacters TWPhrases TWVariants HKVariants \
    TWPhrasesRev TWVariantsRevPhrases TWVariantsRev TSPhrases TSCharacters)
CONVERSION_OBJECTS := $(patsubst %,$(BUILD)/%.o,base/hash $(TABLE_READER))

$(BUILD)/tables/compile_conversion: text/tables/compile_conversion.c text/tables/compile.h text/unicode/conversion_table.h \
    $(CONVERSION_OBJECTS) $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(INCLUDES) $(FLAGS) $(LINK) -o $@ $< $(CONVERSION_OBJECTS) $(LIBS)

$(BUILD)/tables/conversion.bin: $(BUILD)/tables/compile_conversion $(CONVERSION_TEXTS)
	$< $@ $(CONVERSION_TEXTS)
