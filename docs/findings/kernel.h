/* Code with a kernel that is never run, for the programs that load some. */
#ifndef KERNEL_H
#define KERNEL_H

#include "executables.h"

enum { KERNEL_BYTES = 2440, TEXT_BEGIN = 1024, TEXT_END = 1280, FLAGS = 48 };

FUNCTION(int, hsa_code_object_reader_create_from_memory,
         (const void *code, size_t size, hsa_code_object_reader_t *reader), (code, size, reader))
FUNCTION(int, hsa_executable_load_agent_code_object,
         (hsa_executable_t executable, hsa_agent_t agent, hsa_code_object_reader_t reader,
          const char *options, handle *loaded),
         (executable, agent, reader, options, loaded))
FUNCTION(int, hsa_executable_get_symbol_by_name,
         (hsa_executable_t executable, const char *name, const hsa_agent_t *agent,
          hsa_executable_symbol_t *symbol),
         (executable, name, agent, symbol))

/* An ELF file with the symbols kernel and kernel.kd; its instructions and flags are not there yet. */
static inline unsigned char *kernel_code(void)
{
    static _Alignas(4096) unsigned char code[KERNEL_BYTES] = {
        [0] = 127, 69, 76, 70, 2, 1, 1, 64, 2, [16] = 3, 0, 224, 0, 1, [32] = 64, [40] = 72, 6,
        [52] = 64, 0, 56, 0, 5, 0, 64, 0, 13, 0, 12, 0, 1, 0, 0, 0, 4, [96] = 128, 3, [104] = 128, 3,
        [113] = 16, [120] = 1, 0, 0, 0, 5, 0, 0, 0, 0, 4, [137] = 20, [145] = 20, [153] = 1, [161] = 1,
        [169] = 16, [176] = 1, 0, 0, 0, 6, 0, 0, 0, 0, 5, [193] = 37, [201] = 37, [208] = 144,
        [216] = 144, [225] = 16, [232] = 2, 0, 0, 0, 6, 0, 0, 0, 0, 5, [249] = 37, [257] = 37,
        [264] = 144, [272] = 144, [280] = 8, [288] = 4, 0, 0, 0, 4, 0, 0, 0, 88, 1, [304] = 88, 1,
        [312] = 88, 1, [320] = 56, 1, [328] = 56, 1, [336] = 4, [344] = 7, 0, 0, 0, 34, 1, 0, 0, 32, 0,
        0, 0, 65, 77, 68, 71, 80, 85, [680] = 1, 0, 0, 0, 18, 3, 7, 0, 0, 20, [697] = 1, [704] = 8, 0,
        0, 0, 17, 3, 6, 0, 64, 3, [720] = 64, [728] = 1, 0, 0, 0, 3, 0, 0, 0, 1, [744] = 2,
        [753] = 107, 101, 114, 110, 101, 108, 0, 107, 101, 114, 110, 101, 108, 46, 107, 100,
        [840] = 24, [848] = 192, 16, [882] = 12, [1280] = 4, [1288] = 216, 2, [1296] = 5, [1304] = 240,
        2, [1312] = 10, [1320] = 18, [1328] = 6, [1336] = 144, 2, [1344] = 11, [1352] = 24, [1360] = 7,
        [1368] = 8, 3, [1376] = 8, [1392] = 9, [1400] = 24, [1448] = 1, 0, 0, 0, 18, 3, 7, 0, 0, 20,
        [1465] = 1, [1472] = 8, 0, 0, 0, 17, 3, 6, 0, 64, 3, [1488] = 64, [1497] = 107, 101, 114, 110,
        101, 108, 0, 107, 101, 114, 110, 101, 108, 46, 107, 100, 0, 0, 46, 110, 111, 116, 101, 0, 46,
        100, 121, 110, 115, 121, 109, 0, 46, 104, 97, 115, 104, 0, 46, 100, 121, 110, 115, 116, 114, 0,
        46, 114, 101, 108, 97, 46, 100, 121, 110, 0, 46, 114, 111, 100, 97, 116, 97, 0, 46, 116, 101,
        120, 116, 0, 46, 100, 121, 110, 97, 109, 105, 99, 0, 46, 100, 97, 116, 97, 0, 46, 115, 121,
        109, 116, 97, 98, 0, 46, 115, 116, 114, 116, 97, 98, 0, 46, 115, 104, 115, 116, 114, 116, 97,
        98, [1672] = 1, 0, 0, 0, 7, 0, 0, 0, 2, [1688] = 88, 1, [1696] = 88, 1, [1704] = 56, 1,
        [1720] = 4, [1736] = 7, 0, 0, 0, 11, 0, 0, 0, 2, [1752] = 144, 2, [1760] = 144, 2, [1768] = 72,
        [1776] = 4, 0, 0, 0, 1, 0, 0, 0, 8, [1792] = 24, [1800] = 15, 0, 0, 0, 5, 0, 0, 0, 2,
        [1816] = 216, 2, [1824] = 216, 2, [1832] = 24, [1840] = 2, [1848] = 4, [1856] = 4, [1864] = 21,
        0, 0, 0, 3, 0, 0, 0, 2, [1880] = 240, 2, [1888] = 240, 2, [1896] = 18, [1912] = 1, [1928] = 29,
        0, 0, 0, 4, 0, 0, 0, 2, [1944] = 8, 3, [1952] = 8, 3, [1968] = 2, [1976] = 8, [1984] = 24,
        [1992] = 39, 0, 0, 0, 1, 0, 0, 0, 2, [2008] = 64, 3, [2016] = 64, 3, [2024] = 64, [2040] = 64,
        [2056] = 47, 0, 0, 0, 1, 0, 0, 0, 6, [2073] = 20, [2081] = 4, [2089] = 1, [2105] = 1,
        [2120] = 53, 0, 0, 0, 6, 0, 0, 0, 3, [2137] = 37, [2145] = 5, [2152] = 144, [2160] = 4,
        [2168] = 8, [2176] = 16, [2184] = 62, 0, 0, 0, 1, 0, 0, 0, 3, [2200] = 144, 37, [2208] = 144,
        5, [2232] = 8, [2248] = 68, 0, 0, 0, 2, [2272] = 144, 5, [2280] = 72, [2288] = 11, 0, 0, 0, 1,
        0, 0, 0, 8, [2304] = 24, [2312] = 76, 0, 0, 0, 3, [2336] = 216, 5, [2344] = 18, [2360] = 1,
        [2376] = 84, 0, 0, 0, 3, [2400] = 234, 5, [2408] = 94, [2424] = 1, [2439] = 0,
    };

    return code;
}

static inline void complete(unsigned char *code, const char *processor)
{
    static const struct {
        const char *name;
        uint32_t flags;
    } processors[] = {{"gfx908", 0x530}, {"gfx90a", 0x53f}, {"gfx942", 0x54c}, {"gfx1100", 0x41},
                      {"gfx1201", 0x4e}};
    static const unsigned char s_endpgm[] = {0, 0, 0x81, 0xbf};
    uint32_t flags = 0;

    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        if (!strcmp(processors[i].name, processor))
            flags = processors[i].flags;
    if (!flags)
        cannot_tell("no code can be made for this GPU");
    memcpy(code + FLAGS, &flags, sizeof flags);
    for (size_t at = TEXT_BEGIN; at < TEXT_END; at += sizeof s_endpgm)
        memcpy(code + at, s_endpgm, sizeof s_endpgm);
}

/* An executable with nothing in it, and code for a GPU that can be loaded into it. */
struct loading {
    hsa_agent_t gpu;
    hsa_executable_t executable;
    hsa_code_object_reader_t reader;
};

static inline struct loading prepared(unsigned char *code, size_t size)
{
    struct loading loading = {agent_of(HSA_DEVICE_TYPE_GPU), new_executable(), {0}};
    char name[64] = "";

    if (hsa_agent_get_info(loading.gpu, HSA_AGENT_INFO_NAME, name))
        cannot_tell("the GPU has no name");
    complete(code, name);
    if (hsa_code_object_reader_create_from_memory(code, size, &loading.reader))
        cannot_tell("no reader");
    return loading;
}

static inline int load_code(struct loading loading, const char *options)
{
    return hsa_executable_load_agent_code_object(loading.executable, loading.gpu, loading.reader,
                                                 options, NULL);
}

static inline int find_kernel(struct loading loading, hsa_executable_symbol_t *symbol)
{
    return hsa_executable_get_symbol_by_name(loading.executable, "kernel.kd", &loading.gpu, symbol);
}

#endif
