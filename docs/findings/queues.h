/* Queues, for the programs about hsa_queue_* and hsa_amd_queue_*. */
#ifndef QUEUES_H
#define QUEUES_H

#include "finding.h"

enum { HSA_AGENT_INFO_QUEUE_MIN_SIZE = 13 };

/* The beginning of it. */
typedef struct {
    uint32_t type, features;
    void *base_address;
    hsa_signal_t doorbell_signal;
    uint32_t size;
} hsa_queue_t;

FUNCTION(int, hsa_queue_create,
         (hsa_agent_t agent, uint32_t size, uint32_t type, void *callback, void *data,
          uint32_t private_size, uint32_t group_size, hsa_queue_t **queue),
         (agent, size, type, callback, data, private_size, group_size, queue))

static inline uint32_t least_queue_size(hsa_agent_t agent)
{
    uint32_t size;

    if (hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MIN_SIZE, &size))
        cannot_tell("the least size of a queue is unknown");
    return size;
}

static inline hsa_queue_t *queue_of(hsa_agent_t agent, uint32_t type)
{
    hsa_queue_t *queue;

    if (hsa_queue_create(agent, least_queue_size(agent), type, NULL, NULL, UINT32_MAX, UINT32_MAX,
                         &queue))
        cannot_tell("no queue can be created");
    return queue;
}

#endif
