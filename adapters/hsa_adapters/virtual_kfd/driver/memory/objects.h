/* Buffer objects. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <sys/types.h>

#include "base/base.h"

struct object {
    uint64_t handle; /* of the driver's interface; 0 once it was freed there */
    uint64_t address, size, offset; /* offset: where mmap finds it */
    uint32_t number, flags;
    uint32_t mapped; /* the GPUs that ioctls mapped it to, a bit each */
    int gpu, memfd, references;
    ino_t inode;
    bool counted; /* against a memory, by this process */
    bool shared;  /* others may ask for it by a key */
    bool exported; /* there was a descriptor of it, which may still be open somewhere */
    uint8_t *host; /* where the driver itself sees the bytes, NULL until it looks */
};

/* What a descriptor that was exported says about itself. */
struct origin {
    int gpu;
    uint32_t flags;
    uint64_t size;
    ino_t inode;
};

int object_create(int gpu, uint64_t address, uint64_t size, uint32_t flags, uint64_t user,
                  struct object **created);
int object_import(int descriptor, int gpu, uint64_t address, struct object **found);
int object_export(struct object *object, int flags, int *descriptor);
int object_origin(int descriptor, struct origin *origin);
struct object *object_by_handle(uint64_t handle);
struct object *object_by_number(uint32_t number);
struct object *object_by_offset(uint64_t offset);
struct object *object_by_inode(ino_t inode);
void object_release(struct object *object);
uint8_t *object_bytes(struct object *object);
size_t objects_count(void);

#endif
