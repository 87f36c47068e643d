/* What the parts of the virtual driver share.
 *
 * One lock guards everything in this process; what other processes see is in shared.h. Handlers of
 * ioctls run with the lock held, and return 0 or an errno. Threads of queues take it for each
 * access to memory, so that nothing is unmapped under them.
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
#define PAGES(size) (((size) + PAGE - 1) & ~(PAGE - 1))
#define MAX_GPUS 16
#define NO_GPU (-1)
#define HOST MAX_GPUS /* the CPUs' memory, where memories are counted */

/* machine.c: the description that the library was started with */

struct gpu {
    uint32_t id, family, counter_khz, queues;
    int minor;
    uint64_t memory, visible;
    char name[64];
    ino_t node; /* the file that stands for its render node */
};

struct machine {
    char folder[4096];
    uint32_t major, minor;
    uint64_t host_memory;
    bool xnack, svm, peers, paths_only;
    unsigned slow_queue_us, late_event_us;
    ino_t node; /* the file that stands for /dev/kfd */
    dev_t device;
    int gpus;
    struct gpu gpu[MAX_GPUS];
};

/* The machine, or NULL where no folder is named. */
const struct machine *machine(void);
int gpu_by_id(uint32_t id);
bool is_kfd(int descriptor);
int gpu_of_descriptor(int descriptor);
/* Tell the user, on stderr and in the machine's folder, what was asked for and is not there. */
void complain(const char *what, uint64_t which);

/* kernel.c: the calls that go past the functions that this library puts itself in front of */

int kernel_open(int folder, const char *path, int flags, mode_t mode);
void *kernel_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int kernel_munmap(void *address, size_t size);
/* Move a descriptor to where nobody looks for it; -1 where there is none. */
int hidden(int descriptor);
/* A file in memory that is mapped here; NULL where there is no room. */
uint8_t *memory_file(const char *name, uint64_t size, int *descriptor);

/* state.c: the lock, and a clean slate after fork */

void lock(void);
void unlock(void);
extern pthread_mutex_t state_lock;
void on_fork(void (*reset)(void));

/* objects.c: buffer objects */

struct object {
    uint64_t handle; /* of the driver's interface; 0 once it was freed there */
    uint64_t address, size, offset; /* offset: where mmap finds it */
    uint32_t number, flags;
    uint32_t mapped; /* the GPUs that ioctls mapped it to, a bit each */
    int gpu, memfd, references;
    ino_t inode;
    bool counted; /* against a memory, by this process */
    bool shared;  /* others may ask for it by a key */
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
int object_export(const struct object *object, int flags, int *descriptor);
int object_origin(int descriptor, struct origin *origin);
struct object *object_by_handle(uint64_t handle);
struct object *object_by_number(uint32_t number);
struct object *object_by_offset(uint64_t offset);
struct object *object_by_inode(ino_t inode);
void object_release(struct object *object);
uint8_t *object_bytes(struct object *object);

/* pages.c: which addresses a GPU can reach */

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
bool pages_overlap(int gpu, uint64_t address, uint64_t size);
struct view pages_find(int gpu, uint64_t address, bool write);

/* access.c: accesses of a GPU; false after a fault, of which the program has been told */

bool gpu_read(int gpu, uint64_t address, void *bytes, uint64_t size);
bool gpu_write(int gpu, uint64_t address, const void *bytes, uint64_t size);
bool gpu_copy(int gpu, uint64_t to, uint64_t from, uint64_t size);
bool gpu_fill(int gpu, uint64_t to, uint32_t value, uint64_t words);
bool gpu_load(int gpu, uint64_t address, uint64_t *value);
bool gpu_store(int gpu, uint64_t address, uint64_t value);
bool gpu_add(int gpu, uint64_t address, uint64_t value);
/* Return whether the driver may touch memory of the program. */
bool is_there(const void *address, uint64_t size, bool write);
/* Return whether all of a range belongs to some mapping of the program. */
bool is_mapped(uint64_t address, uint64_t size);

/* ioctls, by number */

typedef int (*handler)(void *arguments);
extern const handler device_ioctls[KFD_IOCTLS];
extern const handler memory_ioctls[KFD_IOCTLS];
extern const handler sharing_ioctls[KFD_IOCTLS];
extern const handler svm_ioctls[KFD_IOCTLS];
extern const handler event_ioctls[KFD_IOCTLS];
extern const handler queue_ioctls[KFD_IOCTLS];

/* device.c */

/* Return whether this process has given the GPU its render node, as memory and queues need. */
bool is_acquired(int gpu);
bool xnack_is_on(void);
uint64_t device_ticks(int gpu);

/* sharing.c */

/* Let nobody ask for an object any more. */
void sharing_end(const struct object *object);

/* svm.c */

bool svm_reaches(int gpu, uint64_t address);
/* The program has unmapped memory, and attributes go with it. */
void svm_unmapped(uint64_t address, uint64_t size);

/* events.c */

/* Set the events that a device has written to the slots of. */
void event_interrupt(uint32_t id);
/* Set one event, as the driver itself does. */
void event_set(uint32_t id);
void event_memory_fault(int gpu, uint64_t address, bool read_only);
void event_hang(int gpu);
bool event_page_is(const struct object *object);
/* The page of slots where user space brought none. */
int event_page_file(uint64_t size);

/* queues.c: user-mode queues; aql.c and sdma.c do with one packet what a device would */

struct queue {
    struct create_queue_args args, now; /* now: as its thread sees them during a packet */
    int gpu;
    uint64_t position; /* of the next packet: an index (AQL) or a byte (SDMA) */
    pthread_t thread;
    bool stop, broken; /* broken: after an error, for good */
    struct queue *next;
};

bool queues_exist(void);
/* A page of doorbells; NULL where there is no room. */
uint8_t *doorbells(int gpu, int *memfd);
#define DOORBELL_BYTES 8192u
/* Return whether the packet at the head was finished; false: nothing to do, or broken. */
bool aql_step(struct queue *queue);
bool sdma_step(struct queue *queue);

/* errors.c: what a queue's owner is told; numbers of exceptions are those of the interface */

enum exception {
    ILLEGAL_INSTRUCTION = 4,
    DISPATCH_DIMENSIONS = 16,
    DISPATCH_CODE = 18,
    PACKET_UNSUPPORTED = 20,
    DISPATCH_WORK_GROUP = 21,
    VENDOR_UNSUPPORTED = 23,
};

/* Stop a queue for good and tell its owner why. */
void queue_error(struct queue *queue, enum exception exception);

/* faults.c: failures that a test asks for */

/* Return the errno that this call has to fail with, or 0; with the lock held. */
int injected(int number);
#define INJECT_MMAP 0x101
#define INJECT_DRM 0x102

#endif
