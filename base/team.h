/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * team.h - threads that stay from loop to loop, for whoever has many short ones. Between loops they sleep: none of them
 * spins.
 */
#ifndef FP_TEAM_H
#define FP_TEAM_H

#include "base/base.h"

typedef struct fp_team fp_team;

/* At most `most` threads beside the one that calls; none is started yet. Made in `owner`, ended by fp_team_close, which
 * takes NULL too. FP_ERROR_MEMORY. */
fp_status fp_team_open(size_t most, fp_arena *owner, fp_team **team, fp_error *error);
void fp_team_close(fp_team *team);

/* What thread `member` < most does of a loop, until nothing is left of it; perhaps twice, perhaps never. */
typedef void (*fp_team_work)(void *context, size_t member);

/* Calls as many threads as are wanted, or as the system gives, and does not wait for them. */
void fp_team_call(fp_team *team, size_t wanted, fp_team_work work, void *context);
/* Nobody begins any more, and who began has come back. */
void fp_team_return(fp_team *team);

#endif
