/* Memory that is passed to others. */
#ifndef SHARING_H
#define SHARING_H

#include "base/kfd.h"
#include "memory/objects.h"

/* Let nobody ask for an object any more. */
void sharing_end(const struct object *object);

extern const handler sharing_ioctls[KFD_IOCTLS];

#endif
