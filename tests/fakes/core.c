/* Starting and ending the runtime, status strings, the system and the agents. */
#include "fake.h"

#include <string.h>
#include <time.h>

hsa_status_t hsa_init(void)
{
    FAKE_BEFORE("hsa_init");
    pthread_mutex_lock(&lock);
    hsa_status_t status = references == FAKE_MOST_REFERENCES ? REFCOUNT_OVERFLOW : SUCCESS;
    if (status == SUCCESS)
        references++;
    pthread_mutex_unlock(&lock);
    return FAKE_AFTER("hsa_init", status);
}

FUNCTION(hsa_shut_down, (void), ())
{
    if (--references == 0)
        drop_everything();
    return SUCCESS;
}

static bool is_status(hsa_status_t status)
{
    return status == SUCCESS || status == INFO_BREAK || (status >= 40 && status <= 50) ||
           (status >= 0x1000 && status <= 0x1019) || (status >= 0x1020 && status <= 0x1026);
}

FUNCTION(hsa_status_string, (hsa_status_t status, const char **status_string),
         (status, status_string))
{
    if (!status_string || !is_status(status))
        return INVALID_ARGUMENT;
    *status_string = status == SUCCESS      ? "The call succeeded."
                     : status == INFO_BREAK ? "The callback ended the traversal."
                                            : "The call failed.";
    return SUCCESS;
}

/* A clock of 100 MHz. */
static uint64_t ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 100000000 + (uint64_t)now.tv_nsec / 10;
}

/* Answer an attribute with the same element `count` times. */
static hsa_status_t answer(void *value, size_t size, size_t count, uint64_t element)
{
    for (size_t i = 0; i < count; i++)
        memcpy((char *)value + i * size, &element, size);
    return SUCCESS;
}

static hsa_status_t answer_text(void *value, size_t size, const char *text)
{
    memset(value, 0, size);
    memcpy(value, text, strlen(text));
    return SUCCESS;
}

FUNCTION(hsa_system_get_info, (int attribute, void *value), (attribute, value))
{
    if (!value)
        return INVALID_ARGUMENT;
    switch (attribute) {
    case 0: return answer(value, 2, 1, 1);               /* version, major */
    case 1: return answer(value, 2, 1, 1);               /* version, minor */
    case 2: return answer(value, 8, 1, ticks());
    case 3: return answer(value, 8, 1, 100000000);       /* Hz */
    case 4: return answer(value, 8, 1, UINT64_MAX);      /* longest wait */
    case 5: return answer(value, 4, 1, 0);               /* little endian */
    case 6: return answer(value, 4, 1, 1);               /* large model */
    case 7:
        answer(value, 1, 128, 0);
        FAKE_EXTENSIONS(value);
        return SUCCESS;
    case 0x200: return answer(value, 8, 1, (uintptr_t)"fake");
    case 0x201: return answer(value, 1, 1, false);       /* shared virtual memory */
    case 0x202: return answer(value, 1, 1, false);
    case 0x203: return answer(value, 1, 1, false);       /* mwaitx */
    case 0x204: return answer(value, 1, 1, false);       /* export of pool memory */
    case 0x205: return answer(value, 1, 1, true);        /* virtual memory */
    case 0x206: return answer(value, 1, 1, false);       /* xnack */
    case 0x207: return answer(value, 2, 1, 1);           /* AMD interface, major */
    case 0x208: return answer(value, 2, 1, FAKE_EXT_MINOR);
    case 0x209: return answer(value, 1, 1, false);       /* fabric handles */
    case 0x20A: return answer(value, 1, 1, true);        /* exportable host memory */
    default: return INVALID_ARGUMENT;
    }
}

FUNCTION(hsa_iterate_agents, (hsa_status_t (*callback)(hsa_agent_t, void *), void *data),
         (callback, data))
{
    if (!callback)
        return INVALID_ARGUMENT;
    hsa_status_t status = SUCCESS;
    for (int i = 0; i < AGENTS && status == SUCCESS; i++)
        status = callback(agent_handle(i), data);
    return status;
}

/* Attributes that never change: elements of so many bytes, how many, and their value by agent. */
static const struct {
    int attribute;
    size_t size, count;
    uint64_t value[AGENTS];
} attributes[] = {
    {2, 4, 1, {0, 1}},              /* features: none, kernel dispatch */
    {3, 4, 1, {1, 1}},              /* large model */
    {4, 4, 1, {1, 0}},              /* profile: full, base */
    {5, 4, 1, {2, 2}},              /* rounding: to nearest */
    {6, 4, 1, {1, 64}},             /* wavefront */
    {7, 2, 3, {1, 1024}},           /* work-group, by dimension */
    {8, 4, 1, {1, 1024}},           /* work-group */
    {9, 4, 3, {1, INT32_MAX}},      /* grid, by dimension */
    {10, 4, 1, {1, UINT32_MAX}},    /* grid */
    {11, 4, 1, {32, 32}},           /* fbarriers */
    {12, 4, 1, {0, 128}},           /* queues */
    {13, 4, 1, {0, 64}},            /* smallest queue */
    {14, 4, 1, {0, 131072}},        /* largest queue */
    {15, 4, 1, {0, 0}},             /* queues of many producers */
    {16, 4, 1, {0, 1}},             /* node */
    {17, 4, 1, {0, 1}},             /* device */
    {18, 4, 4, {0, 0}},             /* caches */
    {19, 8, 1, {0, 0}},             /* instruction set */
    {20, 1, 128, {0, 0}},           /* extensions */
    {21, 2, 1, {1, 1}},             /* version, major */
    {22, 2, 1, {1, 1}},             /* version, minor */
    {23, 4, 1, {0, 0}},             /* rounding in the base profile */
    {24, 1, 1, {0, 1}},             /* fast half precision */
    {0xA000, 4, 1, {0, 0x1234}},    /* chip */
    {0xA001, 4, 1, {64, 64}},       /* cache line */
    {0xA002, 4, 1, {1, 60}},        /* compute units */
    {0xA003, 4, 1, {1000, 1000}},   /* MHz */
    {0xA004, 4, 1, {0, 1}},         /* driver's node */
    {0xA005, 4, 1, {0, 4}},         /* watch points */
    {0xA006, 4, 1, {0, 0x100}},     /* location on the bus */
    {0xA007, 4, 1, {64, 4096}},     /* memory width */
    {0xA008, 4, 1, {1000, 1000}},   /* memory clock */
    {0xA00A, 4, 1, {0, 40}},        /* waves */
    {0xA00B, 4, 1, {0, 4}},         /* SIMD units */
    {0xA00C, 4, 1, {0, 4}},         /* shader engines */
    {0xA00D, 4, 1, {0, 1}},         /* shader arrays */
    {0xA00E, 8, 2, {0, 0}},         /* flush registers */
    {0xA00F, 4, 1, {0, 0}},         /* domain */
    {0xA010, 1, 1, {0, 0}},         /* cooperative queues */
    {0xA012, 4, 1, {0, 0}},         /* revision */
    {0xA013, 1, 1, {0, 0}},         /* host access to shared virtual memory */
    {0xA014, 4, 1, {0, 60}},        /* cooperative compute units */
    {0xA016, 8, 1, {100000000, 100000000}},
    {0xA107, 4, 1, {0, 1}},         /* family */
    {0xA108, 4, 1, {0, 1}},         /* firmware */
    {0xA109, 4, 1, {0, 1}},         /* copy engine's firmware */
    {0xA10A, 4, 1, {0, 2}},         /* copy engines */
    {0xA10B, 4, 1, {0, 0}},
    {0xA110, 4, 1, {0, 0}},         /* IOMMU */
    {0xA111, 4, 1, {0, 1}},         /* XCCs */
    {0xA112, 4, 1, {0, 1}},         /* driver's identifier */
    {0xA114, 1, 8, {0, 0}},         /* memory properties */
    {0xA115, 1, 8, {0, 0}},         /* packet extensions */
    {0xA116, 8, 1, {0, 1 << 30}},   /* scratch limit */
    {0xA117, 8, 1, {0, 1 << 30}},
    {0xA119, 1, 1, {0, 0}},         /* emulation of PM4 */
    {0xA11A, 1, 8, {0, 0}},         /* LUID */
    {0xA11B, 1, 1, {0, 0}},         /* expert scheduling */
    {0xA11C, 1, 16, {0, 0}},        /* CUID */
    {0xA11D, 8, 1, {0, UINT32_MAX}}, /* work-groups */
    {0xA11E, 8, 3, {0, 0}},         /* clusters, by dimension */
    {0xA11F, 8, 1, {0, 0}},         /* clusters */
    {0xA120, 8, 3, {0, 0}},         /* work-groups of a cluster, by dimension */
    {0xA121, 8, 1, {0, 0}},         /* work-groups of a cluster */
    {0xA122, 8, 3, {0, UINT32_MAX}}, /* work-groups, by dimension */
    {0xA123, 4, 1, {0, 0}},         /* prefetch regions */
    {0xA124, 1, 1, {1, 1}},         /* exportable host memory */
};

static size_t memory_available(int agent)
{
    size_t bytes = 0;
    for (int i = 0; i < POOLS; i++)
        if (pools[i].agent == agent && pools[i].allocatable)
            bytes += pools[i].size - used[i];
    return bytes;
}

FUNCTION(hsa_agent_get_info, (hsa_agent_t agent, int attribute, void *value),
         (agent, attribute, value))
{
    int which = find_agent(agent);
    if (which < 0)
        return INVALID_AGENT;
    if (!value)
        return INVALID_ARGUMENT;
    switch (attribute) {
    case 0:
    case 0xA009: return answer_text(value, 64, which == CPU ? "fake-cpu" : "fake-gpu");
    case 1: return answer_text(value, 64, "nobody");
    case 0xA011: return answer_text(value, 21, which == CPU ? "CPU-XX" : "GPU-XX");
    case 0xA015: return answer(value, 8, 1, memory_available(which));
    case 0xA113: return answer(value, 8, 1, agent_handle(CPU).handle);
    case 0xA118: /* three counters and their frequency */
        answer(value, 8, 3, ticks());
        return answer((char *)value + 24, 8, 1, 100000000);
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].attribute == attribute)
            return answer(value, attributes[i].size, attributes[i].count,
                          attributes[i].value[which]);
    return INVALID_ARGUMENT;
}
