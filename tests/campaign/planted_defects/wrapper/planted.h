/* What a defect has at hand: the real functions, a while that passes, and refusals of the driver. */
#ifndef PLANTED_H
#define PLANTED_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api.h"
#include "slots.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
/* A function of the library that is wrapped. */
#define REAL(name) (*(__typeof__(&name) *)&JOIN(slot_, name))

/* Microseconds of a race, where nothing else is drawn. */
#ifndef WINDOW
#define WINDOW 50
#endif

/* Be busy for a while, as a table is when it is filled, or a list when it is searched. */
void work(unsigned microseconds);

/* Kinds of driver calls: an ioctl of /dev/kfd by its number, or one of these. */
enum driver_call { CALL_MMAP = 0x100, CALL_MUNMAP, CALL_OPEN, CALL_CLOSE, CALL_FILE, CALL_THREAD, CALL_DRM };

/* From now on calls of the driver that the wrapped library makes are looked at. */
void watch_driver(void);

/* Driver calls that were refused in this thread. */
extern _Thread_local unsigned refusals;
/* Returns whether a call is told to have succeeded: before it is made, and once it was refused. */
extern bool (*leaves_out)(unsigned call);
extern bool (*takes_for_granted)(unsigned call);

/* Run in the library's place when it is loaded. */
#define ON_LOAD __attribute__((constructor(201)))

#endif
