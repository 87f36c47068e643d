/* Failures that a test asks for: the n-th call of a kind fails, or each from there on. */
#include "base/faults.h"
#include "base/shared.h"

int injected(int number)
{
    struct injection *asked = &shared()->injection;
    int error = 0;

    /* The usual case, without a system call. */
    if (asked->number != number || !asked->error)
        return 0;
    shared_lock();
    bool meant = asked->number == number && asked->error;
    if (meant && asked->skip > 0)
        asked->skip--;
    else if (meant) {
        error = asked->error;
        if (!asked->lasting)
            asked->error = 0;
        asked->hits++;
    }
    shared_unlock();
    return error;
}
