/* A library whose functions end the process, each in its own way. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static APART uint64_t followed(const uint64_t *pointer) { return *pointer + 1; }

static APART uint64_t also_followed(const uint64_t *pointer) { return *pointer + 2; }

uint32_t cr_follow(const uint64_t *pointer) { return (uint32_t)followed(pointer) + 3; }

uint32_t cr_follow_too(const uint64_t *pointer) { return (uint32_t)followed(pointer) + 4; }

uint32_t cr_follow_elsewhere(const uint64_t *pointer) {
    return (uint32_t)also_followed(pointer) + 5;
}

uint32_t cr_length(const char *text) { return (uint32_t)strlen(text) + 6; }

uint32_t cr_copy(const void *from, size_t size) {
    static char to[64];
    memcpy(to, from, size);
    return (uint32_t)to[0] + 7;
}

uint32_t cr_abort(uint32_t deep) {
    if (deep) abort();
    return 8;
}

uint32_t cr_trap(void) {
    __builtin_trap();
}

uint32_t cr_break(void) {
    __asm__ volatile("int3");
    return 9;
}

uint32_t cr_jump(uint32_t (*nowhere)(void)) { return nowhere() + 10; }

uint32_t cr_overflow(uint32_t depth) {
    volatile char frame[256];
    frame[depth % 256] = (char)depth;
    return cr_overflow(depth + 1) + frame[depth % 256];
}

static void *in_a_thread(void *pointer) { return (void *)followed(pointer); }

uint32_t cr_thread(void *pointer) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_a_thread, pointer);
    pthread_join(thread, NULL);
    return 11;
}

static void *overflowing(void *nothing) { return (void *)(uintptr_t)cr_overflow(nothing != NULL); }

uint32_t cr_thread_overflow(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, overflowing, NULL);
    pthread_join(thread, NULL);
    return 12;
}

static uint64_t spare;

static void fixed(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RDI] = (greg_t)&spare;
}

/* Fixes a read through a pointer, which is the function's first argument, and goes on. */
uint32_t cr_handle(const uint64_t *pointer) {
    struct sigaction ours = {.sa_sigaction = fixed, .sa_flags = SA_SIGINFO}, before;
    sigaction(SIGSEGV, &ours, &before);
    uint32_t found = (uint32_t)followed(pointer);
    sigaction(SIGSEGV, &before, NULL);
    return found;
}

static struct sigaction chained;

static void passed_on(int number, siginfo_t *info, void *context) {
    if (chained.sa_flags & SA_SIGINFO) {
        chained.sa_sigaction(number, info, context);
    } else {
        sigaction(number, &chained, NULL);
    }
}

/* Has a handler that calls the one before. */
uint32_t cr_chain(const uint64_t *pointer) {
    struct sigaction ours = {.sa_sigaction = passed_on, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &ours, &chained);
    return (uint32_t)followed(pointer) + 13;
}

uint32_t cr_send(uint32_t number) {
    kill(getpid(), (int)number);
    return 14;
}

/* Closes all descriptors that it can find. */
uint32_t cr_blind(const uint64_t *pointer) {
    for (int descriptor = 3; descriptor < 1 << 20; ++descriptor) close(descriptor);
    return (uint32_t)followed(pointer) + 15;
}

typedef uint32_t (*slot)(void);

static const slot empty[32];

APART uint32_t cr_first_slot(const slot *table) { return table[0]() + 16; }

APART uint32_t cr_near_slot(const slot *table) { return table[3]() + 17; }

APART uint32_t cr_far_slot(const slot *table) { return table[20]() + 18; }

APART uint32_t cr_any_slot(const slot *table, uint32_t number) { return table[number]() + 19; }

/* Calls through a slot of a table that has nothing. */
uint32_t cr_slot(uint32_t number) {
    switch (number) {
    case 0: return cr_first_slot(empty) + 20;
    case 3: return cr_near_slot(empty) + 21;
    case 20: return cr_far_slot(empty) + 22;
    default: return cr_any_slot(empty, number) + 23;
    }
}

__attribute__((weak)) uint32_t cr_defined_nowhere(void);

/* Calls a function that the linker let be missing: the jump to nowhere is in the linker's stub. */
uint32_t cr_missing(void) { return cr_defined_nowhere() + 24; }
