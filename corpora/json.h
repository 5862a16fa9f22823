/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * json.h - reading JSON with json-c, in the lab's terms.
 */
#ifndef FP_CORPORA_JSON_H
#define FP_CORPORA_JSON_H

#include <json-c/json.h>

#include "base/base.h"

/* Parses one whole value; nothing may follow it. *value is released with json_object_put. The error has a message and
 * no place. */
fp_status fp_json_parse(fp_string text, json_object **value, fp_error *error);
/* A member that is a string, copied into the arena; empty when the member is missing or null. FP_ERROR_SYNTAX when it
 * is something else. */
fp_status fp_json_string(const json_object *object, const char *name, fp_arena *arena, fp_string *value,
                         fp_error *error);

#endif
