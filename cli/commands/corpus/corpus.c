/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab corpus: what a corpus holds, and corpora made of it. */
#include "cli/cli.h"

#define PART(name) extern const fp_command fp_command_corpus_##name;
#include "cli/commands/corpus/parts.def"
#undef PART

static const fp_command *const PARTS[] = {
#define PART(name) &fp_command_corpus_##name,
#include "cli/commands/corpus/parts.def"
#undef PART
    NULL,
};

const fp_command fp_command_corpus = {
    .name = "corpus",
    .arguments = "PART [OPTION…]",
    .summary = "check, describe, split, sample, merge and corrupt corpora",
    .summary_zh = "查看、拆分、合并语料，或由其生成新语料",
    .details = "A corpus is a directory with docs.jsonl (one {\"id\",\"text\",…} a line; also .gz and .zst),\n"
               "pairs.tsv (id_a, id_b, label 0 or 1, optional kind; tab-separated, no header) and/or a \"group\"\n"
               "in each document, and MANIFEST.json. `fplab import` makes one of texts in any form.",
    .examples = "  fplab corpus check corpora/data/newswire-zh\n"
                "  fplab corpus corrupt --kind list",
    .run = fp_cli_parts,
    .parts = PARTS,
};
