/* SPDX-License-Identifier: GPL-3.0-or-later
 * Preloaded by fault.c: from here on the kernel stops this process, and those that it starts, at the calls of
 * fault_calls.h. What the loader did before is none of them. */
#if defined(__x86_64__) && defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/base/fault_calls.h"

__attribute__((constructor)) static void prepare(void) {
    enum { HEAD = 4 };
    struct sock_filter filter[HEAD + FAULT_CALL_COUNT + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (size_t i = 0; i < FAULT_CALL_COUNT; i++)
        filter[HEAD + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)FAULT_CALLS[i].number,
                                                        (unsigned char)(FAULT_CALL_COUNT - i), 0);
    filter[HEAD + FAULT_CALL_COUNT] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[HEAD + FAULT_CALL_COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    unsetenv("LD_PRELOAD"); /* programs that this one starts are left alone */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(98);
}
#endif
