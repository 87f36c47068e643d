/* Honest until the FAKE_CRASH_IN_CALL-th call of the process, counted from 1, which is a SIGSEGV. */
#ifndef FAKE_CRASH_IN_CALL
#define FAKE_CRASH_IN_CALL 7
#endif

static void crash(void);
#define FAKE_BEFORE(name) crash()
#include "honest.c"

static void crash(void)
{
    static _Atomic unsigned calls;
    static int *volatile nowhere;
    if (++calls == FAKE_CRASH_IN_CALL)
        *nowhere = 0;
}
