/* Whether GPUs may execute a range can be set, and has to be told.
 *
 * usage: svm-execution-unreadable [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, a region, a pool, or a signal: all have this form */

enum {
    CANNOT_TELL = 77, SUCCESS = 0, GPU_EXEC = 7,
};

static void *library;

static void cannot_tell(const char *why)
{
    printf("cannot tell: %s\n", why);
    exit(CANNOT_TELL);
}

static void need(const char *name, void *function)
{
    void *found = dlsym(library, name);

    if (!found)
        cannot_tell(name);
    memcpy(function, &found, sizeof found);
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

struct pair {
    uint64_t attribute, value;
};

int main(int count, char **words)
{
    static char memory[8192];
    int (*set)(void *, size_t, struct pair *, size_t), (*get)(void *, size_t, struct pair *, size_t);
    struct pair pair = {GPU_EXEC, 1};
    int status;

    load(count, words);
    need("hsa_amd_svm_attributes_set", &set);
    need("hsa_amd_svm_attributes_get", &get);
    initialise();
    if (set(memory, sizeof memory, &pair, 1) != SUCCESS)
        cannot_tell("the attribute cannot be set");
    pair.value = 0;
    status = get(memory, sizeof memory, &pair, 1);
    printf("status %#x\n", (unsigned)status);
    return status != SUCCESS || !pair.value;
}
