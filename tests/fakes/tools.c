/* The honest fake, which hands tables of its functions to the library that HSA_TOOLS_LIB names.
 * Each macro puts one fault into it:
 * FAKE_NO_TOOLS  no library is loaded
 * FAKE_ZEROS     the version of the tools' own table is left at 0
 * FAKE_SHORT     the size of the core table is that of its version alone
 * FAKE_SWAPPED   two entries stand for each other
 * FAKE_NULL      an entry is NULL
 * FAKE_ONCE      the version of the table of AMD's extension is there the first time alone
 */
static int after_init(int status);

#define FAKE_AFTER(name, status) (name[4] == 'i' && name[5] == 'n' ? after_init(status) : (status))
#include "honest.c"

#include <dlfcn.h>
#include <stdlib.h>

enum { VERSION = 2, CORE = 128, AMD = 80, TOOLS = 6 }; /* words */
enum { SYSTEM_GET_INFO = 2, ITERATE_AGENTS = 5, AGENT_GET_INFO = 6, ITERATE_POOLS = 12 };

static uint64_t core[VERSION + CORE], amd[VERSION + AMD], tools[VERSION + TOOLS];
static uint64_t root[VERSION + 6];

static hsa_status_t missing(void)
{
    return ERROR;
}

static void version(uint64_t *table, uint64_t major, uint64_t words)
{
    table[0] = major | (words * 8) << 32;
    table[1] = 0;
}

static void fill(void)
{
    uint64_t *entry = core + VERSION;
    for (int i = 0; i < CORE; i++)
        entry[i] = (uintptr_t)missing;
    for (int i = 0; i < AMD; i++)
        amd[VERSION + i] = (uintptr_t)missing;
    entry[SYSTEM_GET_INFO] = (uintptr_t)hsa_system_get_info;
    entry[ITERATE_AGENTS] = (uintptr_t)hsa_iterate_agents;
    entry[AGENT_GET_INFO] = (uintptr_t)hsa_agent_get_info;
    amd[VERSION + ITERATE_POOLS] = (uintptr_t)hsa_amd_agent_iterate_memory_pools;
    version(core, 2, VERSION + CORE);
    version(amd, 2, VERSION + AMD);
    version(tools, 1, VERSION + TOOLS);
    version(root, 3, VERSION + 6);
    root[VERSION] = (uintptr_t)core;
    root[VERSION + 1] = (uintptr_t)amd;
    root[VERSION + 4] = (uintptr_t)tools;
#ifdef FAKE_ZEROS
    version(tools, 0, 0);
#endif
#ifdef FAKE_SHORT
    version(core, 2, VERSION);
#endif
#ifdef FAKE_SWAPPED
    entry[SYSTEM_GET_INFO] = (uintptr_t)hsa_iterate_agents;
    entry[ITERATE_AGENTS] = (uintptr_t)hsa_system_get_info;
#endif
#ifdef FAKE_NULL
    entry[CORE / 2] = 0;
#endif
#ifdef FAKE_ONCE
    static bool before;
    if (before)
        version(amd, 0, 0);
    before = true;
#endif
}

static int after_init(int status)
{
    const char *name = getenv("HSA_TOOLS_LIB");
#ifdef FAKE_NO_TOOLS
    name = NULL;
#endif
    void *library = name && status == SUCCESS && references == 1 ? dlopen(name, RTLD_LAZY) : NULL;
    if (library) {
        bool (*load)(void *, uint64_t, uint64_t, const char *const *);
        *(void **)&load = dlsym(library, "OnLoad");
        fill();
        load(root, 3, 0, NULL);
    }
    return status;
}
