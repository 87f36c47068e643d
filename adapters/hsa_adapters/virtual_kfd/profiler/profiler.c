/* The profiler of an imitated machine: libhsa-amd-aqlprofile64.so where there is no other.

   A runtime loads it, and hands out its functions in the table of an extension. It answers as
   hsa_ven_amd_aqlprofile.h says, of GPUs that all have the same few counters. No device executes
   its commands, which do nothing: a result is what the output buffer holds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Of hsa.h. */
enum { SUCCESS, ERROR = 0x1000, INVALID_ARGUMENT = 0x1001, INVALID_AGENT = 0x1004 };
enum { AGENT_DEVICE = 17, GPU = 1 };

/* Of hsa_ven_amd_aqlprofile.h. */
enum { COUNTERS, TRACE };
enum { COMMAND_SIZE, DATA_SIZE, COUNTER, PART, AT_A_TIME, BLOCK, ENABLE, DISABLE };
enum { PARAMETERS = 10, PARAMETERS_GFX9 = 240, PARAMETERS_END = 242, CHANNELS = 4, LEGACY = 192 };

struct event {
    uint32_t block, instance, counter;
};

struct parameter {
    uint32_t name, value;
};

struct buffer {
    void *address;
    uint32_t size;
};

struct profile {
    uint64_t agent;
    uint32_t type;
    const struct event *events;
    uint32_t events_count;
    const struct parameter *parameters;
    uint32_t parameters_count;
    struct buffer output, commands;
};

struct packet {
    uint16_t header, commands[27];
    uint64_t completion_signal;
};

struct result {
    uint32_t sample;
    union {
        struct {
            struct event event;
            uint64_t result;
        } counter;
        struct buffer part;
    };
};

struct query {
    const char *name;
    uint32_t block, instances;
};

typedef uint32_t on_result(uint32_t kind, struct result *result, void *data);
typedef uint32_t on_name(int id, const char *name);
typedef uint32_t on_coordinate(int position, int id, int extent, int coordinate, const char *name,
                               void *data);

_Static_assert(sizeof(struct profile) == 80 && sizeof(struct packet) == 64 &&
                   sizeof(struct result) == 32 && sizeof(struct query) == 16,
               "sizes of the header");

/* The blocks that a GPU has, by the numbers of the header: how many counters each counts at a
 * time, and how many kinds of events there are. */
static const struct block {
    const char *name;
    uint32_t number, instances, counters, events;
} blocks[] = {{"GRBM", 3, 1, 2, 48}, {"SQ", 6, 1, 8, 512}, {"TCC", 12, 16, 4, 256}};

static const char *const coordinates[] = {"instance"};

/* Streams of commands, each in a place of its own in the command buffer. */
enum stream { START, STOP, READ, SWITCH_ON, SWITCH_OFF, MARK, STREAMS };
#define STREAM 64u /* bytes */

/* PM4 of the kernel's drivers/gpu/drm/amd/amdgpu/soc15d.h: a jump to commands, and nothing. */
#define PM4(operation, words) (3u << 30 | ((words) - 2u) << 16 | (operation) << 8)
enum { NOTHING = 0x10, JUMP = 0x3f, JUMP_WORDS = 4, JUMP_VALID = 1 << 23 };
enum { FORMAT_PM4 = 1, WORDS_LEFT = 10 };

static const char *last_error = "";

static uint32_t refuse(uint32_t status, const char *why)
{
    __atomic_store_n(&last_error, why, __ATOMIC_RELAXED);
    return status;
}

/* What the runtime that is loaded says of an agent. */
static uint32_t check_gpu(uint64_t agent)
{
    uint32_t (*get_info)(uint64_t, uint32_t, void *) = NULL;
    void *runtime = dlopen("libhsa-runtime64.so.1", RTLD_LAZY | RTLD_NOLOAD);
    uint32_t kind = 0;

    if (runtime) {
        *(void **)&get_info = dlsym(runtime, "hsa_agent_get_info");
        dlclose(runtime);
    }
    if (!get_info)
        return refuse(ERROR, "no runtime is loaded that could be asked for agents");
    uint32_t status = get_info(agent, AGENT_DEVICE, &kind);
    if (status)
        return refuse(status, "the runtime knows no such agent");
    return kind == GPU ? SUCCESS : refuse(INVALID_AGENT, "the agent is no GPU");
}

static const struct block *block_of(const struct event *event)
{
    for (size_t i = 0; i < COUNT(blocks); i++)
        if (blocks[i].number == event->block && event->instance < blocks[i].instances &&
            event->counter < blocks[i].events)
            return &blocks[i];
    return NULL;
}

static bool same(const struct event *one, const struct event *other)
{
    return !memcmp(one, other, sizeof *one);
}

static bool fits(const struct profile *profile, const struct event *event)
{
    const struct block *block = block_of(event);
    uint32_t used = 0;

    for (uint32_t i = 0; i < profile->events_count; i++)
        used += profile->events[i].block == event->block &&
                profile->events[i].instance == event->instance;
    return block && used <= block->counters;
}

static const char *trouble(const struct profile *profile)
{
    uint64_t needed = 8ull * profile->events_count;

    if (profile->type != COUNTERS && profile->type != TRACE)
        return "the type of the profile is none";
    if ((profile->events_count && !profile->events) ||
        (profile->parameters_count && !profile->parameters))
        return "a list of the profile is NULL";
    for (uint32_t i = 0; i < profile->parameters_count; i++) {
        uint32_t name = profile->parameters[i].name;
        if (name > PARAMETERS && (name < PARAMETERS_GFX9 || name > PARAMETERS_END))
            return "a parameter of the profile has an unknown name";
    }
    if (profile->type == COUNTERS && !profile->events_count)
        return "the profile has no events";
    for (uint32_t i = 0; i < profile->events_count; i++)
        if (!fits(profile, &profile->events[i]))
            return "the GPU lacks a counter of the profile, or counts fewer at a time";
    if (!profile->commands.address || profile->commands.size < STREAMS * STREAM)
        return "the command buffer is too small";
    if (!profile->output.address || !profile->output.size ||
        (profile->type == COUNTERS && profile->output.size < needed))
        return "the output buffer is too small";
    return NULL;
}

static uint32_t check(const struct profile *profile)
{
    if (!profile || check_gpu(profile->agent))
        return refuse(INVALID_ARGUMENT, "the profile has no GPU");
    const char *why = trouble(profile);
    return why ? refuse(ERROR, why) : SUCCESS;
}

static struct buffer write_stream(const struct profile *profile, enum stream stream)
{
    uint32_t *words = (uint32_t *)((char *)profile->commands.address + stream * STREAM);

    memset(words, 0, STREAM);
    words[0] = PM4(NOTHING, STREAM / 4);
    return (struct buffer){words, STREAM};
}

static uint32_t write_packet(const struct profile *profile, enum stream stream,
                             struct packet *packet)
{
    uint32_t status = packet ? check(profile) : INVALID_ARGUMENT;

    if (status)
        return status;
    struct buffer made = write_stream(profile, stream);
    uintptr_t address = (uintptr_t)made.address;
    uint32_t jump[] = {PM4(JUMP, JUMP_WORDS), (uint32_t)address, (uint32_t)(address >> 32),
                       made.size / 4 | JUMP_VALID, WORDS_LEFT};
    memset(packet->commands, 0, sizeof packet->commands);
    packet->commands[0] = FORMAT_PM4;
    memcpy(packet->commands + 1, jump, sizeof jump);
    return SUCCESS;
}

static struct result result_of(const struct profile *profile, uint32_t number)
{
    struct result made = {0};

    if (profile->type == TRACE) {
        made.part.address = profile->output.address;
        return made;
    }
    made.counter.event = profile->events[number];
    memcpy(&made.counter.result, (char *)profile->output.address + 8ull * number, 8);
    return made;
}

static uint32_t write_result(const struct profile *profile, uint32_t type, struct result *asked)
{
    if (profile->type != type || asked->sample)
        return refuse(ERROR, "the profile has no such result");
    if (type == TRACE) {
        *asked = result_of(profile, 0);
        return SUCCESS;
    }
    for (uint32_t i = 0; i < profile->events_count; i++)
        if (same(&profile->events[i], &asked->counter.event)) {
            *asked = result_of(profile, i);
            return SUCCESS;
        }
    return refuse(ERROR, "the profile has no such counter");
}

static uint32_t write_counters(const struct profile *profile, uint32_t *value)
{
    const struct block *block =
        profile->events_count && profile->events ? block_of(&profile->events[0]) : NULL;

    if (!block)
        return refuse(ERROR, "the first event of the profile is none of the GPU's");
    *value = block->counters;
    return SUCCESS;
}

static uint32_t write_block(struct query *query)
{
    for (size_t i = 0; query->name && i < COUNT(blocks); i++)
        if (!strcmp(blocks[i].name, query->name)) {
            query->block = blocks[i].number;
            query->instances = blocks[i].instances;
            return SUCCESS;
        }
    return refuse(ERROR, "the GPU has no such block");
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_version_major(void)
{
    return 2;
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_version_minor(void)
{
    return 0;
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_error_string(const char **text)
{
    if (!text)
        return INVALID_ARGUMENT;
    *text = __atomic_load_n(&last_error, __ATOMIC_RELAXED);
    return SUCCESS;
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_validate_event(uint64_t agent, const struct event *event,
                                                      bool *result)
{
    uint32_t status = event && result ? check_gpu(agent) : INVALID_ARGUMENT;

    if (!status)
        *result = block_of(event) != NULL;
    return status;
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_start(struct profile *profile, struct packet *packet)
{
    return write_packet(profile, START, packet);
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_stop(const struct profile *profile, struct packet *packet)
{
    return write_packet(profile, STOP, packet);
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_read(const struct profile *profile, struct packet *packet)
{
    return write_packet(profile, READ, packet);
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_legacy_get_pm4(const struct packet *packet, void *data)
{
    if (!packet || !data)
        return INVALID_ARGUMENT;
    uint32_t words[LEGACY / 4] = {0};
    memcpy(words, packet->commands + 1, JUMP_WORDS * 4);
    words[JUMP_WORDS] = PM4(NOTHING, LEGACY / 4 - JUMP_WORDS);
    memcpy(data, words, LEGACY);
    return SUCCESS;
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_att_marker(struct profile *profile, struct packet *packet,
                                                  uint32_t data, uint32_t channel)
{
    (void)data;
    if (!packet || channel >= CHANNELS)
        return refuse(INVALID_ARGUMENT, "there is no packet, or no such channel");
    if (profile && profile->type != TRACE)
        return refuse(ERROR, "the profile is none of a trace");
    return write_packet(profile, MARK, packet);
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_get_info(const struct profile *profile, uint32_t attribute,
                                                void *value)
{
    if (!profile || !value || attribute > DISABLE || check_gpu(profile->agent))
        return refuse(INVALID_ARGUMENT, "the profile or the attribute is none");
    switch (attribute) {
    case COMMAND_SIZE:
        *(uint32_t *)value = STREAMS * STREAM;
        return SUCCESS;
    case DATA_SIZE:
        *(uint32_t *)value = 8 * profile->events_count;
        return SUCCESS;
    case AT_A_TIME:
        return write_counters(profile, value);
    case BLOCK:
        return write_block(value);
    }
    uint32_t status = check(profile);
    if (status)
        return status;
    switch (attribute) {
    case COUNTER:
        return write_result(profile, COUNTERS, value);
    case PART:
        return write_result(profile, TRACE, value);
    default:
        *(struct buffer *)value =
            write_stream(profile, attribute == ENABLE ? SWITCH_ON : SWITCH_OFF);
        return SUCCESS;
    }
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_iterate_data(const struct profile *profile,
                                                    on_result *callback, void *data)
{
    uint32_t status = callback ? check(profile) : INVALID_ARGUMENT;

    if (status)
        return status;
    uint32_t count = profile->type == TRACE ? 1 : profile->events_count;
    for (uint32_t i = 0; i < count && !status; i++) {
        struct result made = result_of(profile, i);
        status = callback(profile->type == TRACE ? PART : COUNTER, &made, data);
    }
    return status;
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_iterate_event_ids(on_name *callback)
{
    uint32_t status = callback ? SUCCESS : INVALID_ARGUMENT;

    for (size_t i = 0; i < COUNT(coordinates) && !status; i++)
        status = callback((int)i, coordinates[i]);
    return status;
}

EXPORT uint32_t hsa_ven_amd_aqlprofile_iterate_event_coord(uint64_t agent, struct event event,
                                                           uint32_t sample,
                                                           on_coordinate *callback, void *data)
{
    uint32_t status = callback ? check_gpu(agent) : INVALID_ARGUMENT;

    if (status)
        return status;
    const struct block *block = block_of(&event);
    if (!block || sample)
        return refuse(INVALID_ARGUMENT, "the GPU has no such counter or sample");
    return callback(0, 0, (int)block->instances, (int)event.instance, coordinates[0], data);
}
