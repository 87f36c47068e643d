/* Honest, but a call that fails, with FAKE_LEAKS_WITH if it is given, opens a descriptor and forgets it;
 * with FAKE_INHERITED a program that is executed has it. */
static int leak(int status);
#define FAKE_AFTER(name, status) leak(status)
#include "honest.c"

static int leak(int status)
{
#ifdef FAKE_LEAKS_WITH
    bool failed = status == FAKE_LEAKS_WITH;
#else
    bool failed = status != SUCCESS && status != INFO_BREAK;
#endif
#ifdef FAKE_INHERITED
    int flags = O_RDONLY;
#else
    int flags = O_RDONLY | O_CLOEXEC;
#endif
    return failed && open("/dev/null", flags) < 0 ? ERROR : status;
}
