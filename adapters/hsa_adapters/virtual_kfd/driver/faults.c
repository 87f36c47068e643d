/* Failures that a test asks for: the n-th call of a kind fails once, with a given errno. */
#include "shared.h"

int injected(int number)
{
    struct injection *asked = &shared()->injection;

    if (asked->number != number || !asked->error)
        return 0;
    shared_lock();
    int error = 0;
    if (asked->skip > 0)
        asked->skip--;
    else {
        error = asked->error;
        asked->error = 0;
        asked->hits++;
    }
    shared_unlock();
    return error;
}
