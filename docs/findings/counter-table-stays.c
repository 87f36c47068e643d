/* A process initialises the runtime and ends without shutting it down. */
#include "finding.h"

#include <sys/mman.h>
#include <sys/stat.h>

static int end_initialised(void)
{
    initialise();
    return NO_DEFECT;
}

int main(int count, char **words)
{
    struct stat there;

    load(count, words);
    shm_unlink("/hsakmt_shared_mem"); /* of an earlier process that did the same */
    if (run(end_initialised, 60))
        return CANNOT_TELL;
    return stat("/dev/shm/hsakmt_shared_mem", &there) ? NO_DEFECT : DEFECT;
}
