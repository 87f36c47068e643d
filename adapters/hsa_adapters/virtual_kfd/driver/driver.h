/* What the parts of the virtual driver share.
 *
 * One lock guards everything in this process; what other processes see is in shared.h. Handlers of
 * ioctls run with the lock held, and return 0 or an errno.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kfd.h"

#define EXPORT __attribute__((visibility("default")))
#define PAGE 4096ull
#define MAX_GPUS 16
#define NO_GPU (-1)

/* machine.c: the description that the library was started with */

struct gpu {
    uint32_t id, family, counter_khz, compute_queues;
    int minor;
    uint64_t memory;
    char name[64];
    ino_t node; /* the file that stands for its render node */
};

struct machine {
    char folder[256];
    uint32_t major, minor;
    bool xnack, paths_only;
    unsigned slow_queue_us, late_event_us;
    ino_t node; /* the file that stands for /dev/kfd */
    dev_t device;
    int gpus;
    struct gpu gpu[MAX_GPUS];
};

/* The machine, or NULL where no folder is named. */
const struct machine *machine(void);
int gpu_by_id(uint32_t id);
int gpu_by_minor(int minor);
bool is_kfd(int descriptor);
int gpu_of_descriptor(int descriptor);
/* Tell the user, on stderr and in the machine's folder, what was asked for and is not there. */
void complain(const char *what, uint64_t which);

/* kernel.c: the calls that go past the functions that this library puts itself in front of */

int kernel_open(int folder, const char *path, int flags, mode_t mode);
void *kernel_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
/* Move a descriptor to where nobody looks for it; -1 where there is no room. */
int hidden(int descriptor);

/* state.c: the lock, and a clean slate after fork */

void lock(void);
void unlock(void);
extern pthread_mutex_t state_lock;
void on_fork(void (*reset)(void));

/* objects.c: buffer objects */

struct object {
    uint64_t handle, address, size, offset; /* offset: where mmap finds it */
    uint32_t flags;
    int gpu, memfd, references;
    ino_t inode;
    bool owned; /* counted against the memory of its GPU by this process */
    uint8_t *host; /* where the driver itself sees the bytes, NULL until it looks */
    struct object *next;
};

int object_create(int gpu, uint64_t address, uint64_t size, uint32_t flags, uint64_t user,
                  struct object **created);
int object_import(int descriptor, int gpu, uint64_t address, struct object **found);
int object_export(const struct object *object, int *descriptor);
struct object *object_by_handle(uint64_t handle);
struct object *object_by_offset(uint64_t offset);
struct object *object_by_descriptor(int descriptor);
void object_release(struct object *object);
uint8_t *object_bytes(struct object *object);

/* pages.c: which addresses a GPU can reach */

int pages_map(int gpu, uint64_t address, uint64_t size, struct object *object, uint64_t offset,
              bool writable);
int pages_unmap(int gpu, uint64_t address, const struct object *object);
void pages_forget(const struct object *object);
bool pages_has(int gpu, const struct object *object);
/* Return where the driver sees an address of a GPU, and how far it goes; NULL is a fault. */
uint8_t *pages_find(int gpu, uint64_t address, bool write, uint64_t *left);

/* memory.c, sharing.c, svm.c, events.c, queues.c: ioctls, by number */

typedef int (*handler)(void *arguments);
extern const handler memory_ioctls[KFD_IOCTLS];
extern const handler sharing_ioctls[KFD_IOCTLS];
extern const handler svm_ioctls[KFD_IOCTLS];
extern const handler event_ioctls[KFD_IOCTLS];
extern const handler queue_ioctls[KFD_IOCTLS];
extern const handler device_ioctls[KFD_IOCTLS];

bool svm_reaches(int gpu, uint64_t address);
uint8_t *doorbells(uint32_t gpu_id, int *memfd);

/* events.c */

void event_signal(uint32_t id);
void event_memory_fault(int gpu, uint64_t address, bool read_only);

/* aql.c and sdma.c: what a queue's thread does with one packet */

struct queue {
    struct create_queue_args args;
    int gpu;
    uint64_t position; /* of the next packet: an index (AQL) or a byte (SDMA) */
    pthread_t thread;
    volatile bool stop, halted;
    struct queue *next;
};

/* Return whether the packet at the head was finished; false: nothing to do yet. */
bool aql_step(struct queue *queue);
bool sdma_step(struct queue *queue);
/* Stop a queue for good and tell its owner why. */
void queue_error(struct queue *queue, unsigned exception);
/* Copy between the driver and a GPU's addresses; false after a memory fault. */
bool gpu_read(int gpu, uint64_t address, void *bytes, uint64_t size);
bool gpu_write(int gpu, uint64_t address, const void *bytes, uint64_t size);

/* faults.c: failures that a test asks for */

/* Return the errno that this call has to fail with, or 0. */
int injected(int number);
#define INJECT_MMAP 0x101
#define INJECT_DRM 0x102

#endif
