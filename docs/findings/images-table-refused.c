/* The table of images is given to whoever is told that they are supported.
 *
 * usage: images-table-refused [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CANNOT_TELL = 77, SYSTEM_EXTENSIONS = 7, IMAGES = 1,
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

int main(int count, char **words)
{
    int (*system_info)(uint32_t, void *);
    int (*has)(uint16_t, uint16_t, uint16_t, _Bool *);
    int (*has_major)(uint16_t, uint16_t, uint16_t *, _Bool *);
    int (*table_of)(uint16_t, uint16_t, size_t, void *);
    void *table[10]; /* of version 1.0 */
    uint8_t mask[128] = {0};
    _Bool exact = 0, major = 0;
    uint16_t minor;
    int answer;

    load(count, words);
    initialise();
    need("hsa_system_get_info", &system_info);
    need("hsa_system_extension_supported", &has);
    need("hsa_system_major_extension_supported", &has_major);
    need("hsa_system_get_major_extension_table", &table_of);
    system_info(SYSTEM_EXTENSIONS, mask);
    has(IMAGES, 1, 0, &exact);
    has_major(IMAGES, 1, &minor, &major);
    if (!(mask[0] >> IMAGES & 1) || !exact || !major)
        cannot_tell("images are not supported");
    answer = table_of(IMAGES, 1, sizeof table, table);
    printf("answer %#x\n", answer);
    return answer != 0;
}
