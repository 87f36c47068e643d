/* Threads that begin at one time, in one process after the other: chance decides how they meet. */
#ifndef THREADS_H
#define THREADS_H

#include "finding.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { THREADS = 2, PROCESSES = 200, SECONDS = 10, ENOUGH = 5 };

static atomic_int arrived;

/* Wait until all threads are here; who sleeps would be too late for the others. */
static inline void meet(void)
{
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < THREADS)
        ;
}

/* Let each thread begin with its number, and return once all have ended. */
static inline void begin(void *(*body)(void *))
{
    static int numbers[THREADS];
    pthread_t threads[THREADS];

    atomic_store(&arrived, 0);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, body, &numbers[i]))
            cannot_tell("no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* Try a body in many processes until it has shown the defect often enough, and say in how many. */
static inline int rate(body *body)
{
    time_t end = time(NULL) + SECONDS;
    int made = 0, shown = 0;

    for (; made < PROCESSES && shown < ENOUGH && time(NULL) < end; made++) {
        int status = run(body, SECONDS);

        if (status == CANNOT_TELL)
            return CANNOT_TELL;
        shown += status == DEFECT || status > 128;
    }
    printf("in %d of %d processes\n", shown, made);
    return shown ? DEFECT : NO_DEFECT;
}

#endif
