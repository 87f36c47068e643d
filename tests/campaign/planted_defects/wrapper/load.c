/* Loads the library that is wrapped, and finds its functions. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

#include "planted.h"

void *wrapped;

__attribute__((constructor(101))) static void load(void)
{
    wrapped = dlopen(WRAPPED, RTLD_NOW | RTLD_LOCAL);
    if (!wrapped) {
        fprintf(stderr, "%s\n", dlerror());
        abort();
    }
    for (const struct slot *slot = slots; slot->name; slot++)
        *slot->function = dlsym(wrapped, slot->name);
}

void work(unsigned microseconds)
{
    struct timespec now, start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000 + (now.tv_nsec - start.tv_nsec) / 1000 <
           (long)microseconds);
}
