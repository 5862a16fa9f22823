/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * synonyms.h - synonyms from a list of groups.
 */
#ifndef FP_SYNONYMS_H
#define FP_SYNONYMS_H

#include "base/base.h"

typedef struct fp_synonyms fp_synonyms;

/* A line is a group of words, separated by white space; # begins a comment line. A first word that ends with = is the
 * code of its group, as in the extended Tongyici Cilin; lines whose code ends with # (related words) or @ (single
 * words) are skipped. A word in several groups has the synonyms of all of them. *made lives in `arena`, and refers to
 * `list`. FP_ERROR_EMPTY for a list without a group of two words, FP_ERROR_ENCODING, with the byte, for a list that is
 * not UTF-8. */
fp_status fp_synonyms_read(fp_string list, fp_arena *arena, const fp_synonyms **made, fp_error *error);

/* The shipped list: text/data/synonyms.txt, written for this project, with Chinese and English words. */
fp_string fp_synonyms_shipped(void);

/* A synonym of the word, sampled uniformly; empty if there is none. */
fp_string fp_synonyms_draw(const fp_synonyms *synonyms, fp_string word, uint64_t random);

#endif
