/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab.h - the public interface of fplab, the laboratory for text fingerprints.
 *
 * It covers everything that a fingerprint algorithm (built in or a plug-in) or a program that links libfplab needs.
 * Each header below covers one subject and can be included alone. The library exports only what these headers declare.
 *
 * Thread-safety: several threads may call functions at once if no two of them use the same arena, error or explanation,
 * or an arm that one of them fits or loads. Otherwise arms and algorithms are read-only, for any number of threads.
 * Some objects state stricter rules. The library never prints, exits or aborts, and has no mutable globals.
 *
 * Errors: a function that can fail returns a status and fills *error, which may be NULL. On failure its other output
 * parameters are undefined unless stated otherwise.
 *
 * Compatibility for programs compiled against these headers. As long as the library file keeps its number
 * (libfplab.so.N), functions keep their meaning and their parameters, and
 *   - fp_arena, fp_arm, fp_explanation, fp_corpus, fp_evaluation, fp_tables and fp_text_index are opaque and may
 *     change;
 *   - structs whose first member is `size` may grow at the end: the program sets `size` to sizeof; the library takes
 *     members beyond it as zero and does not write them;
 *   - fp_algorithm, fp_learning, fp_acceleration and fp_layout change with FP_ABI_VERSION, and plug-ins of another
 *     version are refused. Only the library creates fp_instance, fp_training and fp_segment_options;
 *   - fp_extensions may grow at the end; its size shows which members the program was compiled with;
 *   - all other structs are frozen, since programs and plug-ins create them or lay them out in arrays: fp_string,
 *     fp_error, fp_pair, fp_parameter, fp_features, fp_document, fp_sketch, fp_sketches, fp_vector, fp_token,
 *     fp_tokens, fp_segmenter, fp_progress, fp_text_column, fp_key_design, fp_near_report, fp_neighbours, fp_cluster,
 *     fp_setting, fp_text_match, fp_common_run, fp_passage, fp_alignment, fp_confusion, fp_point, fp_result and
 *     fp_compared;
 *   - enumerations get new members at the end.
 */
#ifndef FPLAB_H
#define FPLAB_H 1

#include <fplab/algorithm.h>
#include <fplab/alignment.h>
#include <fplab/arm.h>
#include <fplab/collection.h>
#include <fplab/columns.h>
#include <fplab/corpus.h>
#include <fplab/eval.h>
#include <fplab/explanation.h>
#include <fplab/memory.h>
#include <fplab/progress.h>
#include <fplab/segmenter.h>
#include <fplab/sketch.h>
#include <fplab/status.h>
#include <fplab/tables.h>
#include <fplab/text.h>
#include <fplab/version.h>

#endif
