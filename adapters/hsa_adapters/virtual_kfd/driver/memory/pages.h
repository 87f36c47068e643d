/* Which addresses a GPU can reach. */
#ifndef PAGES_H
#define PAGES_H

#include "memory/objects.h"

enum mapper { BY_KFD, BY_DRM };

struct range {
    uint64_t address, size, offset;
    struct object *object;
    bool writable;
    enum mapper mapper;
};

/* Memory as a GPU sees it, from an address on. */
struct view {
    uint8_t *bytes; /* NULL: the access is a fault */
    uint64_t left;
    bool foreign;   /* the program's own memory, which it may take away */
    bool read_only; /* the reason of the fault */
};

int pages_map(int gpu, const struct range *range);
int pages_unmap(int gpu, uint64_t address, const struct object *object, enum mapper mapper);
void pages_forget(int gpu, const struct object *object, enum mapper mapper);
/* The range that an address lies in; false where there is none. */
bool pages_range(int gpu, uint64_t address, struct range *range);
/* How often GPUs have lost memory: what was found before the last time may be gone. */
uint64_t pages_losses(void);
void pages_lost(void);
/* How many ranges all GPUs have together. */
size_t pages_count(void);
bool pages_overlap(int gpu, uint64_t address, uint64_t size);
/* Find what a GPU sees at an address; false where its table has nothing there. */
bool pages_find(int gpu, uint64_t address, bool write, struct view *view);

#endif
