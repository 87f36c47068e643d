/* Honest until the FAKE_ABORT_IN_CALL-th call of the process, counted from 1, which aborts. */
#ifndef FAKE_ABORT_IN_CALL
#define FAKE_ABORT_IN_CALL 7
#endif

static void end(void);
#define FAKE_BEFORE(name) end()
#include "honest.c"

static void end(void)
{
    static _Atomic unsigned calls;
    if (++calls == FAKE_ABORT_IN_CALL) {
        fputs("fake: assertion failed\n", stderr);
        abort();
    }
}
