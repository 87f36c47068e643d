/* Ioctls about the driver and its devices. */
#ifndef DEVICE_H
#define DEVICE_H

#include "base/base.h"
#include "base/kfd.h"

extern const handler device_ioctls[KFD_IOCTLS];

#endif
