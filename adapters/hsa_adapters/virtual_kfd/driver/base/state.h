/* The lock of this process, and a clean slate after fork. */
#ifndef STATE_H
#define STATE_H

#include <pthread.h>

void lock(void);
void unlock(void);
extern pthread_mutex_t state_lock;
void on_fork(void (*reset)(void));

#endif
