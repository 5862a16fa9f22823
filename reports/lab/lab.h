/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab.h - the lab behind one function: a request in JSON, an answer in JSON. Pages call it as WebAssembly
 * (reports/lab/lab.js), tests call it in the program.
 *
 * A request is an object whose "op" is one of the following; arms are written as in commands ("simhash:bits=64").
 *
 *   algorithms   {}                        "algorithms": the names of those that read texts and need no file
 *   features     {arm, text}               "normalised", "initials", and "features" as columns: term, hash, weight
 *   fingerprint  {arms, texts}             "arms": each with "texts": fingerprint, features, empty
 *   compare      {arms, a, b, longest}     "arms": each with distance, similarity, a and b, and the places that differ
 *   explain      {arm, text}, or {arm, features}, which are given by hand in the same columns
 *                                          "steps": title, lines, columns, rows
 *   evaluate     {arms, documents, …}      lab_evaluate.c
 *   corrupt      {kind, rate, seed, copy, text}   the changed "text", sites, changes, and "edits", which are columns
 *   pairs        {arm, cell, threshold, most}   the pairs behind a count of the last evaluation: "count", "pairs"
 *
 * An answer is an object with the members above. If the request fails, it has only "error", the message on one line,
 * and "status" (fp_status_name). With several arms each may fail on its own: its object then has "arm", "error" and
 * "status". Hashes are sixteen hexadecimal digits; undefined values are null; places are counted in UTF-16 units.
 */
#ifndef FP_LAB_H
#define FP_LAB_H

#include "base/base.h"

/* The state between calls: the last evaluation. One thread at a time. */
typedef struct fp_lab fp_lab;

/* NULL when memory runs out. fp_lab_close accepts NULL. */
fp_lab *fp_lab_open(void);
void fp_lab_close(fp_lab *lab);

/* From now on evaluations report the progress of their stages; NULL ends this. */
void fp_lab_watch(fp_lab *lab, void (*report)(void *context, const char *stage, size_t done, size_t total),
                  void *context);

/* The answer to a request of `length` arbitrary bytes. Valid until the next call; ended by a NUL that *answer_length
 * does not count. answer_length may be NULL. Never returns NULL. */
const char *fp_lab_call(fp_lab *lab, const char *request, size_t length, size_t *answer_length);

#endif
