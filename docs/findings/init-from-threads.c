/* Two threads initialise the runtime at one time. */
#include "threads.h"

static int status_of[THREADS];

static void *initialise_in_thread(void *number)
{
    meet();
    status_of[*(int *)number] = hsa_init();
    return NULL;
}

static int defect(void)
{
    begin(initialise_in_thread);
    for (int i = 0; i < THREADS; i++)
        if (status_of[i])
            return DEFECT;
    return NO_DEFECT;
}

static int alone(void)
{
    initialise();
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_init");
    if (run(alone, 10))
        return CANNOT_TELL;
    return rate(defect);
}
