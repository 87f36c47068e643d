/* Honest, but a call that fails opens a descriptor and forgets it. */
static int leak(int status);
#define FAKE_AFTER(name, status) leak(status)
#include "honest.c"

static int leak(int status)
{
    bool failed = status != SUCCESS && status != INFO_BREAK;
    return failed && open("/dev/null", O_RDONLY | O_CLOEXEC) < 0 ? ERROR : status;
}
