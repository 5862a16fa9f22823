/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab.h - the laboratory behind one function: a request in JSON, an answer in JSON. It is what a page asks, where this
 * code runs as WebAssembly (reports/lab/lab.js), and what tests ask of the program's own.
 *
 * A request is an object whose "op" is one of the following; an arm is written as everywhere ("simhash:bits=64").
 *
 *   algorithms   {}                        "algorithms": name, summary, citation, features (the default), parameters
 *   normalise    {text}                    "text"
 *   features     {arm, text}               "normalised"; "tokens" and "features", which are columns (below)
 *   fingerprint  {arms, texts}             "arms": each with "texts": fingerprint, features, says
 *   compare      {arms, a, b, longest}     "arms": each with distance, similarity, a and b, and the places that differ
 *   explain      {arm, text} or {arm, a, b}, or {arm, features}, which are given by hand as the columns term, hash and
 *                weight                    "steps": title, lines, columns, rows
 *   evaluate     {arms, documents, …}      lab_evaluate.c
 *   corrupt      {kind, rate, seed, copy, text}   "text" as it came out, sites, changes, and "edits", which are columns
 *   pairs        {arm, cell, threshold, most}   the pairs behind a count of the last evaluation: "count", "pairs"
 *
 * An answer is an object with what is told above; where the request could not be met, it has "error", the lab's one
 * line, and "status", the name of its kind (fp_status_name), alone. With several arms each may fail for itself: its
 * object then has "arm", "error" and "status". Hashes are sixteen
 * hexadecimal digits; what is not defined is null; places in texts are counted in UTF-16 units, as JavaScript counts.
 */
#ifndef FP_LAB_H
#define FP_LAB_H

#include "base/base.h"

/* What is kept between calls: arms that were parsed, and the last evaluation. One thread at a time. */
typedef struct fp_lab fp_lab;

/* NULL where there is no memory. The caller ends it with fp_lab_close, which takes NULL too. */
fp_lab *fp_lab_open(void);
void fp_lab_close(fp_lab *lab);

/* From here on an evaluation tells how far its stages are; NULL: no longer. */
void fp_lab_watch(fp_lab *lab, void (*report)(void *context, const char *stage, size_t done, size_t total),
                  void *context);

/* The answer to a request of `length` bytes, which may be anything. Lasts until the next call, with a NUL behind it
 * that *answer_length, which may be NULL, does not count. Never NULL. */
const char *fp_lab_call(fp_lab *lab, const char *request, size_t length, size_t *answer_length);

#endif
