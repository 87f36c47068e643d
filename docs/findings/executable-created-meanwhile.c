/* An executable that is created while another thread asks for segments can be frozen. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "executables.h"
#include "loader.h"

enum { EXECUTABLES = 1000, ROUNDS = 10000, SECONDS = 5 };

FUNCTION(int, hsa_executable_freeze, (hsa_executable_t executable, const char *options),
         (executable, options))

static struct loader loader;
static volatile bool asking;

static void *ask(void *nothing)
{
    size_t count = 0;

    asking = true;
    loader.query_segment_descriptors(NULL, &count);
    return nothing;
}

/* On one processor the thread that waits for a lock often runs as soon as it is given back. */
static void stay_on_one_processor(void)
{
    cpu_set_t all, one;
    int number = 0;

    if (sched_getaffinity(0, sizeof all, &all))
        return;
    while (!CPU_ISSET(number, &all))
        number++;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static int create_meanwhile(void)
{
    initialise();
    stay_on_one_processor();
    loader = loader_table();
    for (int i = 0; i < EXECUTABLES; i++) /* a question takes its time */
        new_executable();
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec pause = {0, i % 50 * 1000};
        hsa_executable_t executable;
        pthread_t thread;

        asking = false;
        if (pthread_create(&thread, NULL, ask, NULL))
            cannot_tell("no thread");
        while (!asking)
            nanosleep(&pause, NULL);
        executable = new_executable();
        pthread_join(thread, NULL);
        alarm(SECONDS); /* nothing else runs, so nothing else can hold it up */
        if (hsa_executable_freeze(executable, NULL))
            return DEFECT;
        alarm(0);
    }
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int status;

    load(count, words);
    status = run(create_meanwhile, 0);
    if (status == 128 + SIGALRM)
        printf("freezing an executable does not come back\n");
    return status > 128 ? DEFECT : status;
}
