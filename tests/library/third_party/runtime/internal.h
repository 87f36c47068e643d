/* What the parts of the runtime know of each other.
 *
 * One lock guards every object, every signal value and every list; it is never held while a
 * callback of the application runs. The read and write indexes of queues are atomic instead.
 */
#ifndef THIRD_PARTY_INTERNAL_H
#define THIRD_PARTY_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "hsa.h"

#define TICKS_PER_SECOND 100000000u /* of the system's timestamp */

/* init.c */
extern pthread_mutex_t runtime_lock;
bool initialized(void);

/* system.c */
uint64_t timestamp(void);
void set_text(char text[64], const char *from);
bool valid_extension(uint16_t extension);
hsa_machine_model_t machine_model(void);

/* agents.c */
struct agent {
    const char *name;
    hsa_device_type_t device;
    hsa_queue_type_t queue_type;
    uint32_t queues_max, queue_min_size, queue_max_size;
    uint32_t queues; /* that exist; under the lock */
};
struct agent *find_agent(hsa_agent_t agent);
size_t agent_index(const struct agent *agent);
size_t agent_count(void);
void reset_agents(void);

/* isas.c */
hsa_isa_t isa_of_agent(const struct agent *agent);

/* objects.c: what the application has created, found by address */
enum kind { SIGNAL, QUEUE, ALLOCATION };
struct object {
    enum kind kind;
    uintptr_t address;
    struct object *next;
};
void add_object(struct object *object, enum kind kind, uintptr_t address);
struct object *find_object(enum kind kind, uintptr_t address);
struct object *any_object(enum kind kind);
void remove_object(struct object *object);

/* regions.c */
struct region {
    hsa_region_segment_t segment;
    uint32_t flags;
    size_t size, alloc_max, granule, alignment; /* nothing can be allocated if granule is 0 */
    uint32_t agents;                            /* a bit for each one that has access */
    size_t used;                                /* under the lock */
};
struct region *find_region(hsa_region_t region);
void reset_regions(void);

/* memory.c */
hsa_status_t allocate(struct region *region, size_t size, void **ptr);
bool release(void *ptr);
void reset_memory(void);

/* signals.c */
struct waiter {
    bool (*satisfied)(hsa_signal_value_t value, hsa_signal_value_t compare);
    hsa_signal_value_t compare;
    hsa_signal_value_t observed;
    bool met;
    pthread_cond_t *wake;
    struct signal *signal; /* the one that it is listed in, or NULL */
    struct waiter *next;
};
struct signal {
    struct object object;
    hsa_signal_value_t value;
    bool doorbell; /* of a queue that the runtime made */
    struct waiter *waiters;
};
bool always(hsa_signal_value_t value, hsa_signal_value_t compare);
bool equal(hsa_signal_value_t value, hsa_signal_value_t compare);
void new_condition(pthread_cond_t *condition);
struct signal *new_signal(hsa_signal_value_t value, bool doorbell);
void free_signal(struct signal *signal);
struct signal *find_signal(hsa_signal_t signal);
hsa_signal_t signal_handle(const struct signal *signal);
void set_signal(struct signal *signal, hsa_signal_value_t value);
void watch(struct signal *signal, struct waiter *waiter);
void unwatch(struct waiter *waiter);
void reset_signals(void);

/* queues.c */
#define PACKET_SIZE 64
struct queue {
    hsa_queue_t visible; /* first: its address is the queue's */
    struct object object;
    _Atomic uint64_t read_index, write_index;
    struct agent *agent; /* NULL for a soft queue */
    pthread_t processor;
    pthread_cond_t wake;
    bool stopped;   /* no further packet is processed */
    bool abandoned; /* destroyed by its own callback: the processor frees it */
    void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data);
    void *data;
};
void free_queue(struct queue *queue);
void reset_queues(void);

/* packets.c */
void *process_packets(void *queue);

#endif
