/* The honest fake with the profiler's extension: it loads the profiler's library each time somebody
 * asks for the table, and for the bit of the extension while somebody asks for that.
 * Each macro puts one fault into it:
 * FAKE_SWAPPED   two entries stand for each other
 * FAKE_SHIFTED   an entry is left out, and those after it move up
 * FAKE_NULL      an entry is NULL
 * FAKE_UNWRITTEN what stood on the stack takes the place of the last entries
 * FAKE_LONG      the whole table is written, whatever its length
 * FAKE_CLOSED    the library is unloaded once the table is filled
 * FAKE_REFUSED   there is the extension, and no table of it
 * FAKE_NO_BIT    there is the extension, and no bit for it
 * FAKE_KEPT      a function looks into the caller's table each time
 */
#define FAKE_EXTENSIONS(mask) set_bits(mask)
static void set_bits(unsigned char *mask);

#include "honest.c"

#include <dlfcn.h>
#include <string.h>

enum { PROFILER = 0x202, MEMBERS = 13 };

static const char *const names[MEMBERS] = {
    "version_major", "version_minor", "error_string", "validate_event", "start", "stop", "read",
    "legacy_get_pm4", "get_info", "iterate_data", "iterate_event_ids", "iterate_event_coord",
    "att_marker",
};

static void *load(void)
{
    return dlopen("libhsa-amd-aqlprofile64.so", RTLD_LAZY);
}

static void set_bits(unsigned char *mask)
{
#ifndef FAKE_NO_BIT
    void *library = load();
    if (!library)
        return;
    dlclose(library);
    mask[PROFILER / 8] |= 1 << PROFILER % 8;
#else
    (void)mask;
#endif
}

#ifdef FAKE_KEPT
static void **kept, *second;

static uint32_t version_major(void)
{
    return kept[1] == second ? 2 : 0;
}
#endif

static bool is_supported(uint16_t extension, uint16_t major, uint16_t minor)
{
    return extension == PROFILER && major == 1 && minor == 0;
}

FUNCTION(hsa_system_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t minor, bool *result),
         (extension, major, minor, result))
{
    if (!result)
        return INVALID_ARGUMENT;
    *result = is_supported(extension, major, minor);
    return SUCCESS;
}

FUNCTION(hsa_system_major_extension_supported,
         (uint16_t extension, uint16_t major, uint16_t *minor, bool *result),
         (extension, major, minor, result))
{
    if (!minor || !result)
        return INVALID_ARGUMENT;
    *result = is_supported(extension, major, 0);
    *minor = 0;
    return SUCCESS;
}

FUNCTION(hsa_system_get_major_extension_table,
         (uint16_t extension, uint16_t major, size_t length, void *table),
         (extension, major, length, table))
{
    void *entries[MEMBERS];

    if (!table || !is_supported(extension, major, 0))
        return INVALID_ARGUMENT;
    void *library = load();
    if (!library)
        return ERROR;
    for (int i = 0; i < MEMBERS; i++) {
        char name[64] = "hsa_ven_amd_aqlprofile_";
        entries[i] = dlsym(library, strcat(name, names[i]));
    }
#if defined FAKE_SWAPPED
    void *start = entries[4];
    entries[4] = entries[5];
    entries[5] = start;
#elif defined FAKE_SHIFTED
    memmove(entries + 2, entries + 3, (MEMBERS - 3) * sizeof *entries);
#elif defined FAKE_NULL
    entries[8] = NULL;
#elif defined FAKE_UNWRITTEN
    memset(entries + 10, 0, 3 * sizeof *entries);
    entries[10] = entries;
#elif defined FAKE_KEPT
    kept = table;
    second = entries[1];
    entries[0] = (void *)version_major;
#elif defined FAKE_LONG
    length = sizeof entries;
#elif defined FAKE_CLOSED
    dlclose(library);
#elif defined FAKE_REFUSED
    return ERROR;
#endif
    memcpy(table, entries, length < sizeof entries ? length : sizeof entries);
    return SUCCESS;
}

FUNCTION(hsa_system_get_extension_table,
         (uint16_t extension, uint16_t major, uint16_t minor, void *table),
         (extension, major, minor, table))
{
    if (!is_supported(extension, major, minor))
        return INVALID_ARGUMENT;
    return hsa_system_get_major_extension_table(extension, major, MEMBERS * sizeof(void *), table);
}
