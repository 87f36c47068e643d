/* Honest, but FAKE_KEEPS_IN keeps something each time it has succeeded, or each FAKE_KEEPS_EVERY-th
 * time, FAKE_KEEPS_MOST times at most: by FAKE_KEEPS A_DESCRIPTOR, A_MAPPING, A_THREAD, A_BLOCK of the
 * heap, nothing but what it takes and gives back BY_CHANCE, TIME, which each call takes more of, and so
 * clearly that a busy machine shows it, or A_PLACE of PLACES without which no range is reserved. */
static int keep(const char *function, int status);
#define FAKE_AFTER(name, status) keep(name, status)
#include "honest.c"

#define NAME(function) TEXT(function)
#define TEXT(word) #word

enum { A_DESCRIPTOR, A_MAPPING, A_THREAD, A_BLOCK, BY_CHANCE, TIME, A_PLACE, PLACES = 8 };

#ifndef FAKE_KEEPS_MOST
#define FAKE_KEEPS_MOST 1000000
#endif
#ifndef FAKE_KEEPS_EVERY
#define FAKE_KEEPS_EVERY 1
#endif

static void *sleep_on(void *nothing)
{
    pause();
    return nothing;
}

static int keep(const char *function, int status)
{
    static void *volatile kept;
    static unsigned times, seed = 1, taken;
    pthread_t thread;

    if (strstr(function, "address_reserve") && taken == PLACES)
        return OUT_OF_RESOURCES;
    if (status != SUCCESS || strcmp(function, NAME(FAKE_KEEPS_IN)) || times++ >= FAKE_KEEPS_MOST)
        return status;
    if (times % FAKE_KEEPS_EVERY)
        return status;
    switch (FAKE_KEEPS) {
    case A_DESCRIPTOR:
        return open("/dev/null", O_RDONLY | O_CLOEXEC) < 0 ? ERROR : status;
    case A_MAPPING:
        kept = mmap(NULL, 5 * PAGE, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return status;
    case A_THREAD:
        return pthread_create(&thread, NULL, sleep_on, NULL) ? ERROR : status;
    case A_BLOCK:
        kept = malloc(3000);
        return status;
    case BY_CHANCE:
        free(kept);
        seed = seed * 1103515245 + 12345;
        kept = malloc(2000 + seed / 65536 % 3000);
        return status;
    case TIME:
        for (volatile uint64_t i = (uint64_t)times * times * times / 1000; i > 0; i--)
            continue;
        return status;
    case A_PLACE:
        taken++;
    }
    return status;
}
