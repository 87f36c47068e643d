/* What the scenarios share: the library, its functions, and some of its objects. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api.h"

#define CALL(name) (*(__typeof__(&name))dlsym(library, #name))
#define REQUIRE(call) \
    do { \
        if ((call) != HSA_STATUS_SUCCESS) { \
            fprintf(stderr, "%s\n", #call); \
            exit(2); \
        } \
    } while (0)
/* How long something may take. */
#define SECONDS 3

extern void *library;
extern hsa_agent_t gpu;

/* Return a new signal. */
hsa_signal_t signal_of(hsa_signal_value_t value);
/* Find the last GPU. */
hsa_status_t find_gpu(hsa_agent_t agent, void *found);

/* The scenarios; each returns whether the defect shows. */
int in_handler(const char *what);
int beside(void);
int iterates(char *what);
int ends_with(const char *what);
int child_ends_with(const char *what);
int is_closed(void);
int loads(const char *check);

#endif
