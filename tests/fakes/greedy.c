/* Honest, but hsa_amd_vmem_address_reserve takes FAKE_MEMORY MiB each time, hsa_init prints
 * FAKE_OUTPUT MiB, and hsa_shut_down leaves FAKE_THREADS threads behind. */
#ifndef FAKE_MEMORY
#define FAKE_MEMORY 0
#endif
#ifndef FAKE_OUTPUT
#define FAKE_OUTPUT 0
#endif
#ifndef FAKE_THREADS
#define FAKE_THREADS 0
#endif

static void take(const char *function);
#define FAKE_BEFORE(name) take(name)
#include "honest.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t mib = 1 << 20;
static char *volatile taken; /* seen by all, or a compiler would leave it out */

static void *sleeps(void *unused)
{
    while (!unused)
        pause();
    return NULL;
}

static void print(void)
{
    char *text = malloc(mib);
    if (!text)
        abort();
    memset(text, '.', mib);
    for (long i = 0; i < FAKE_OUTPUT; i++)
        fwrite(text, 1, mib, i % 2 ? stdout : stderr);
    fflush(stdout);
    free(text);
}

static void take(const char *function)
{
    if (!strcmp(function, "hsa_init"))
        print();
    if (!strcmp(function, "hsa_amd_vmem_address_reserve") && FAKE_MEMORY) {
        taken = malloc(FAKE_MEMORY * mib);
        if (!taken)
            abort();
        memset(taken, 1, FAKE_MEMORY * mib);
    }
    for (int i = 0; !strcmp(function, "hsa_shut_down") && i < FAKE_THREADS; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, sleeps, NULL))
            abort();
    }
}
