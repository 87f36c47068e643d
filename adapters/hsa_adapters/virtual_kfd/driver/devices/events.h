/* Events, which devices and the driver set, and threads wait for. */
#ifndef EVENTS_H
#define EVENTS_H

#include "base/kfd.h"
#include "memory/objects.h"

/* Set the events that a device has written to the slots of. */
void event_interrupt(uint32_t id);
/* Set one event, as the driver itself does. */
void event_set(uint32_t id);
void event_memory_fault(int gpu, uint64_t address, bool read_only);
void event_hang(int gpu);
bool event_page_is(const struct object *object);
/* The page of slots where user space brought none. */
int event_page_file(uint64_t size);

size_t events_count(void);

extern const handler event_ioctls[KFD_IOCTLS];

#endif
