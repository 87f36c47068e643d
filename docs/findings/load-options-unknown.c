/* Options that nobody knows must not keep code from being loaded.
 *
 * usage: load-options-unknown [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, an executable, a reader or a symbol: all have this form */

enum {
    CANNOT_TELL = 77, GPU = 1, SUCCESS = 0, AGENT_NAME = 0, AGENT_DEVICE = 17, BASE = 0, NEAR = 2,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static int find(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (found)
        memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void need(const char *name, void *function)
{
    if (!find(name, function))
        cannot_tell(name);
}

static void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

static void initialise(void)
{
    int (*init)(void);

    need("hsa_init", &init);
    if (init())
        cannot_tell("hsa_init fails: is there a GPU?");
}

/* Code with a kernel that is never run, made for no GPU yet: what in it is not zero. */
enum { CODE_BYTES = 2440, CODE_FLAGS = 48 };

static const struct {
    unsigned place, size;
    const char *bytes;
} parts[] = {
    {0, 9, "\x7f\x45\x4c\x46\x02\x01\x01\x40\x02"},
    {16, 5, "\x03\x00\xe0\x00\x01"},
    {32, 1, "\x40"},
    {40, 2, "\x48\x06"},
    {48, 18, "\x2c\x01\x00\x00\x40\x00\x38\x00\x05\x00\x40\x00\x0d\x00\x0c\x00\x01\x00"},
    {66, 3, "\x00\x00\x04"},
    {96, 2, "\x80\x03"},
    {104, 2, "\x80\x03"},
    {113, 1, "\x10"},
    {120, 10, "\x01\x00\x00\x00\x05\x00\x00\x00\x00\x04"},
    {137, 1, "\x14"},
    {145, 1, "\x14"},
    {153, 1, "\x01"},
    {161, 1, "\x01"},
    {169, 1, "\x10"},
    {176, 10, "\x01\x00\x00\x00\x06\x00\x00\x00\x00\x05"},
    {193, 1, "\x25"},
    {201, 1, "\x25"},
    {208, 1, "\x90"},
    {216, 1, "\x90"},
    {225, 1, "\x10"},
    {232, 10, "\x02\x00\x00\x00\x06\x00\x00\x00\x00\x05"},
    {249, 1, "\x25"},
    {257, 1, "\x25"},
    {264, 1, "\x90"},
    {272, 1, "\x90"},
    {280, 1, "\x08"},
    {288, 10, "\x04\x00\x00\x00\x04\x00\x00\x00\x58\x01"},
    {304, 2, "\x58\x01"},
    {312, 2, "\x58\x01"},
    {320, 2, "\x38\x01"},
    {328, 2, "\x38\x01"},
    {336, 1, "\x04"},
    {344, 18, "\x07\x00\x00\x00\x22\x01\x00\x00\x20\x00\x00\x00\x41\x4d\x44\x47\x50\x55"},
    {680, 10, "\x01\x00\x00\x00\x12\x03\x07\x00\x00\x14"},
    {697, 1, "\x01"},
    {704, 10, "\x08\x00\x00\x00\x11\x03\x06\x00\x40\x03"},
    {720, 1, "\x40"},
    {728, 9, "\x01\x00\x00\x00\x03\x00\x00\x00\x01"},
    {744, 1, "\x02"},
    {753, 16, "\x6b\x65\x72\x6e\x65\x6c\x00\x6b\x65\x72\x6e\x65\x6c\x2e\x6b\x64"},
    {840, 1, "\x18"},
    {848, 2, "\xc0\x10"},
    {882, 1, "\x0c"},
    {1026, 18, "\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf"},
    {1044, 18, "\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00"},
    {1062, 18, "\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf"},
    {1080, 18, "\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00"},
    {1098, 18, "\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf"},
    {1116, 18, "\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00"},
    {1134, 18, "\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf"},
    {1152, 18, "\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00"},
    {1170, 18, "\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf"},
    {1188, 18, "\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00"},
    {1206, 18, "\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf"},
    {1224, 18, "\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00"},
    {1242, 18, "\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf"},
    {1260, 18, "\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00\x81\xbf\x00\x00"},
    {1278, 3, "\x81\xbf\x04"},
    {1288, 2, "\xd8\x02"},
    {1296, 1, "\x05"},
    {1304, 2, "\xf0\x02"},
    {1312, 1, "\x0a"},
    {1320, 1, "\x12"},
    {1328, 1, "\x06"},
    {1336, 2, "\x90\x02"},
    {1344, 1, "\x0b"},
    {1352, 1, "\x18"},
    {1360, 1, "\x07"},
    {1368, 2, "\x08\x03"},
    {1376, 1, "\x08"},
    {1392, 1, "\x09"},
    {1400, 1, "\x18"},
    {1448, 10, "\x01\x00\x00\x00\x12\x03\x07\x00\x00\x14"},
    {1465, 1, "\x01"},
    {1472, 10, "\x08\x00\x00\x00\x11\x03\x06\x00\x40\x03"},
    {1488, 1, "\x40"},
    {1497, 18, "\x6b\x65\x72\x6e\x65\x6c\x00\x6b\x65\x72\x6e\x65\x6c\x2e\x6b\x64\x00\x00"},
    {1515, 18, "\x2e\x6e\x6f\x74\x65\x00\x2e\x64\x79\x6e\x73\x79\x6d\x00\x2e\x68\x61\x73"},
    {1533, 18, "\x68\x00\x2e\x64\x79\x6e\x73\x74\x72\x00\x2e\x72\x65\x6c\x61\x2e\x64\x79"},
    {1551, 18, "\x6e\x00\x2e\x72\x6f\x64\x61\x74\x61\x00\x2e\x74\x65\x78\x74\x00\x2e\x64"},
    {1569, 18, "\x79\x6e\x61\x6d\x69\x63\x00\x2e\x64\x61\x74\x61\x00\x2e\x73\x79\x6d\x74"},
    {1587, 18, "\x61\x62\x00\x2e\x73\x74\x72\x74\x61\x62\x00\x2e\x73\x68\x73\x74\x72\x74"},
    {1605, 2, "\x61\x62"},
    {1672, 9, "\x01\x00\x00\x00\x07\x00\x00\x00\x02"},
    {1688, 2, "\x58\x01"},
    {1696, 2, "\x58\x01"},
    {1704, 2, "\x38\x01"},
    {1720, 1, "\x04"},
    {1736, 9, "\x07\x00\x00\x00\x0b\x00\x00\x00\x02"},
    {1752, 2, "\x90\x02"},
    {1760, 2, "\x90\x02"},
    {1768, 1, "\x48"},
    {1776, 9, "\x04\x00\x00\x00\x01\x00\x00\x00\x08"},
    {1792, 1, "\x18"},
    {1800, 9, "\x0f\x00\x00\x00\x05\x00\x00\x00\x02"},
    {1816, 2, "\xd8\x02"},
    {1824, 2, "\xd8\x02"},
    {1832, 1, "\x18"},
    {1840, 1, "\x02"},
    {1848, 1, "\x04"},
    {1856, 1, "\x04"},
    {1864, 9, "\x15\x00\x00\x00\x03\x00\x00\x00\x02"},
    {1880, 2, "\xf0\x02"},
    {1888, 2, "\xf0\x02"},
    {1896, 1, "\x12"},
    {1912, 1, "\x01"},
    {1928, 9, "\x1d\x00\x00\x00\x04\x00\x00\x00\x02"},
    {1944, 2, "\x08\x03"},
    {1952, 2, "\x08\x03"},
    {1968, 1, "\x02"},
    {1976, 1, "\x08"},
    {1984, 1, "\x18"},
    {1992, 9, "\x27\x00\x00\x00\x01\x00\x00\x00\x02"},
    {2008, 2, "\x40\x03"},
    {2016, 2, "\x40\x03"},
    {2024, 1, "\x40"},
    {2040, 1, "\x40"},
    {2056, 9, "\x2f\x00\x00\x00\x01\x00\x00\x00\x06"},
    {2073, 1, "\x14"},
    {2081, 1, "\x04"},
    {2089, 1, "\x01"},
    {2105, 1, "\x01"},
    {2120, 9, "\x35\x00\x00\x00\x06\x00\x00\x00\x03"},
    {2137, 1, "\x25"},
    {2145, 1, "\x05"},
    {2152, 1, "\x90"},
    {2160, 1, "\x04"},
    {2168, 1, "\x08"},
    {2176, 1, "\x10"},
    {2184, 9, "\x3e\x00\x00\x00\x01\x00\x00\x00\x03"},
    {2200, 2, "\x90\x25"},
    {2208, 2, "\x90\x05"},
    {2232, 1, "\x08"},
    {2248, 5, "\x44\x00\x00\x00\x02"},
    {2272, 2, "\x90\x05"},
    {2280, 1, "\x48"},
    {2288, 9, "\x0b\x00\x00\x00\x01\x00\x00\x00\x08"},
    {2304, 1, "\x18"},
    {2312, 5, "\x4c\x00\x00\x00\x03"},
    {2336, 2, "\xd8\x05"},
    {2344, 1, "\x12"},
    {2360, 1, "\x01"},
    {2376, 5, "\x54\x00\x00\x00\x03"},
    {2400, 2, "\xea\x05"},
    {2408, 1, "\x5e"},
    {2424, 1, "\x01"},
};

static _Alignas(4096) unsigned char code[CODE_BYTES];

static const struct {
    const char *name;
    uint32_t number;
} processors[] = {{"gfx908", 0x530}, {"gfx90a", 0x53f}, {"gfx942", 0x54c}, {"gfx1100", 0x41},
                  {"gfx1201", 0x4e}};

static void write_code(const char *processor)
{
    uint32_t number = 0;

    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        if (!strcmp(processors[i].name, processor))
            number = processors[i].number;
    if (!number)
        cannot_tell("no code can be made for this GPU");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        memcpy(code + parts[i].place, parts[i].bytes, parts[i].size);
    memcpy(code + CODE_FLAGS, &number, sizeof number);
}

static handle gpu, executable, reader;

static int take_gpu(handle agent, void *data)
{
    int (*info)(handle, uint32_t, void *), device;

    (void)data;
    need("hsa_agent_get_info", &info);
    if (!info(agent, AGENT_DEVICE, &device) && device == GPU && !gpu.handle)
        gpu = agent;
    return SUCCESS;
}

/* Make an executable, and a reader of code for the first GPU. */
static void prepare(void)
{
    int (*iterate)(int (*)(handle, void *), void *), (*info)(handle, uint32_t, void *);
    int (*create)(int, int, const char *, handle *), (*read)(const void *, size_t, handle *);
    char name[64] = "";

    initialise();
    need("hsa_iterate_agents", &iterate);
    need("hsa_agent_get_info", &info);
    need("hsa_executable_create_alt", &create);
    need("hsa_code_object_reader_create_from_memory", &read);
    if (iterate(take_gpu, NULL) || !gpu.handle || info(gpu, AGENT_NAME, name))
        cannot_tell("there is no GPU");
    write_code(name);
    if (create(BASE, NEAR, NULL, &executable) || read(code, sizeof code, &reader))
        cannot_tell("no executable or no reader");
}

static int load_code(const char *options)
{
    int (*load_agent)(handle, handle, handle, const char *, handle *);

    need("hsa_executable_load_agent_code_object", &load_agent);
    return load_agent(executable, gpu, reader, options, NULL);
}

int main(int count, char **words)
{
    int plain, status;

    load(count, words);
    prepare();
    status = load_code("-hsa_unheard_of");
    prepare();
    plain = load_code(NULL);
    printf("status %#x, without options %#x\n", (unsigned)status, (unsigned)plain);
    if (plain != SUCCESS)
        cannot_tell("the code is not loaded without options");
    return status != SUCCESS;
}
