/* User-mode queues, and their threads. */
#ifndef QUEUES_H
#define QUEUES_H

#include "base/base.h"
#include "base/kfd.h"

bool queues_exist(void);
size_t queues_count(void);

extern const handler queue_ioctls[KFD_IOCTLS];

#endif
