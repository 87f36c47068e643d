/* The lock of this process, and a clean slate after fork. */
#ifndef STATE_H
#define STATE_H

#include <pthread.h>
#include <stdbool.h>

void lock(void);
void unlock(void);
/* Whether this thread has taken the lock: what it does now, the driver does. */
bool is_driving(void);
extern pthread_mutex_t state_lock;
void on_fork(void (*reset)(void));

#endif
