/* Queues whose packets can be intercepted, for the programs about them.
 *
 * Their functions are in a table that a runtime gives to libraries of tools alone. So the program
 * writes such a library: its OnLoad stores where the tables are. */
#ifndef INTERCEPTED_H
#define INTERCEPTED_H

#include "queues.h"

#include <elf.h>
#include <time.h>

enum { PACKET = 64, BARRIER_AND = 3, BARRIER_BIT = 1 << 8 };

typedef void writer(const void *packets, uint64_t count);
typedef void interceptor(const void *packets, uint64_t count, uint64_t index, void *data,
                         writer *write);

FUNCTION(uint64_t, hsa_queue_add_write_index_screlease, (const hsa_queue_t *queue, uint64_t value),
         (queue, value))
FUNCTION(int64_t, hsa_signal_load_scacquire, (hsa_signal_t signal), (signal))

static inline void ring(hsa_signal_t doorbell, int64_t index)
{
    void (*store)(hsa_signal_t signal, int64_t value);

    find("hsa_signal_store_screlease", (void *)&store);
    store(doorbell, index);
}

struct tables {
    uint32_t version[4];
    void *core;
    struct {
        uint32_t version[4];
        void *functions[];
    } *extension;
};

typedef int create(hsa_agent_t agent, uint32_t size, uint32_t type, void *callback, void *data,
                   uint32_t private_size, uint32_t group_size, hsa_queue_t **queue);
typedef int add(hsa_queue_t *queue, interceptor *handler, void *data);

static struct tables *given;

#define SYMBOL "OnLoad"

struct tool {
    Elf64_Ehdr header;
    Elf64_Phdr segments[3];
    Elf64_Dyn dynamic[6];
    Elf64_Sym symbols[2];
    uint32_t hash[5];
    char names[sizeof "\0" SYMBOL];
    unsigned char code[32];
};

static inline void write_tool(int file)
{
    /* movabs $place, %rax; mov %rdi, (%rax); mov $1, %eax; ret */
    unsigned char code[32] = {0x48, 0xb8, [10] = 0x48, 0x89, 0x38, 0xb8, 1, 0, 0, 0, 0xc3};
    struct tables **place = &given;
    struct tool tool = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                               EV_CURRENT},
                   .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
                   .e_phoff = offsetof(struct tool, segments), .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3},
        .segments = {{.p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X, .p_filesz = sizeof tool,
                      .p_memsz = sizeof tool, .p_align = 0x1000},
                     {.p_type = PT_DYNAMIC, .p_flags = PF_R | PF_W,
                      .p_offset = offsetof(struct tool, dynamic),
                      .p_vaddr = offsetof(struct tool, dynamic),
                      .p_filesz = sizeof tool.dynamic, .p_memsz = sizeof tool.dynamic,
                      .p_align = 8},
                     {.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W}},
        .dynamic = {{DT_HASH, {offsetof(struct tool, hash)}},
                    {DT_SYMTAB, {offsetof(struct tool, symbols)}},
                    {DT_STRTAB, {offsetof(struct tool, names)}},
                    {DT_STRSZ, {sizeof tool.names}},
                    {DT_SYMENT, {sizeof(Elf64_Sym)}},
                    {DT_NULL, {0}}},
        .symbols = {[1] = {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                           .st_shndx = 1, .st_value = offsetof(struct tool, code),
                           .st_size = sizeof code}},
        .hash = {1, 2, 1, 0, 0}, /* one chain, of one symbol */
        .names = "\0" SYMBOL,
    };
    memcpy(code + 2, &place, sizeof place);
    memcpy(tool.code, code, sizeof code);
    if (write(file, &tool, sizeof tool) != sizeof tool)
        cannot_tell("no library of tools");
}

/* Initialise a runtime that gives its tables away, and create a queue with a handler. */
static inline hsa_queue_t *intercepted(interceptor *handler)
{
#ifndef __x86_64__
    cannot_tell("the library of tools is for x86-64");
#endif
    char name[64];
    int file = ordinary_file();

    write_tool(file);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    setenv("HSA_TOOLS_LIB", name, 1);
    initialise();
    if (!given)
        cannot_tell("the runtime loads no library of tools");
    /* Two functions came to stand before them in ROCm 5.6. */
    void **two = given->extension->functions + (has("hsa_amd_memory_copy_engine_status") ? 37 : 35);
    hsa_agent_t gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    hsa_queue_t *queue;
    create *create;
    add *add;

    memcpy(&create, &two[0], sizeof create);
    memcpy(&add, &two[1], sizeof add);
    if (create(gpu, least_queue_size(gpu), 0, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue) ||
        add(queue, handler, NULL))
        cannot_tell("no queue can be intercepted");
    return queue;
}

/* How many copies of each packet a handler writes, and in how many calls. */
static unsigned copies, pieces = 1;

static inline void write_copies(const void *packets, uint64_t count, uint64_t index, void *data,
                                writer *write)
{
    uint64_t written = count * copies, size = written / pieces;
    char *all = malloc(written * PACKET);

    (void)index, (void)data;
    for (uint64_t n = 0; n < written; n++)
        memcpy(all + n * PACKET, (const char *)packets + n / copies * PACKET, PACKET);
    for (uint64_t n = 0; n < written; n += size)
        write(all + n * PACKET, size < written - n ? size : written - n);
    free(all);
}

/* Submit so many packets that complete a signal, and ring the doorbell once. */
static inline void submit(hsa_queue_t *queue, unsigned count, hsa_signal_t done)
{
    uint64_t first = hsa_queue_add_write_index_screlease(queue, count);

    for (uint64_t n = first; n < first + count; n++) {
        char *slot = (char *)queue->base_address + n % queue->size * PACKET;

        memset(slot + 4, 0, PACKET - 4);
        memcpy(slot + PACKET - 8, &done, sizeof done);
        __atomic_store_n((uint32_t *)slot, BARRIER_AND | BARRIER_BIT, __ATOMIC_RELEASE);
    }
    ring(queue->doorbell_signal, (int64_t)(first + count - 1));
}

/* Return the value of a signal when it has been 0 or the same for a second. */
static inline int64_t settled(hsa_signal_t signal)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    int64_t value = hsa_signal_load_scacquire(signal), before;
    unsigned same = 0;

    while (value && same < 100) {
        nanosleep(&moment, NULL);
        before = value;
        value = hsa_signal_load_scacquire(signal);
        same = value == before ? same + 1 : 0;
    }
    return value;
}

#endif
