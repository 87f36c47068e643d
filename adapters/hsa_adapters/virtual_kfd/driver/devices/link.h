/* The connection of a queue with the machine's device: messages, as wire.h has them. */
#ifndef LINK_H
#define LINK_H

#include <sys/types.h>

#include "base/base.h"
#include "base/wire.h"

/* Connect to the device; -1 where there is none. */
int link_open(void);
/* Send a head and what follows it; a descriptor goes with it unless it is -1. False: it is gone. */
bool link_send(int link, const struct head *head, const void *bytes, int descriptor);
/* Wait a moment for a message; false where none came. */
bool link_has(int link);
/* Receive a head, and what follows it into MOST_BYTES of room. False: the device is gone. */
bool link_receive(int link, struct head *head, void *bytes);
/* Let the device end, and wait until it has. */
void link_close(int link);

#endif
