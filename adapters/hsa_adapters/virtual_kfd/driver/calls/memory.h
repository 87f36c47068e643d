/* Ioctls that make, map and free memory. */
#ifndef MEMORY_H
#define MEMORY_H

#include "base/base.h"
#include "base/kfd.h"

extern const handler memory_ioctls[KFD_IOCTLS];

#endif
