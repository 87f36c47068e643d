/* The profiler's library, which a runtime loads by name: ours where there is no other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/kernel.h"
#include "base/machine.h"

#define PROFILER "libhsa-amd-aqlprofile64.so"

typedef void *loader(const char *name, int flags);

static loader *next(void)
{
    static loader *found;

    if (!found)
        *(void **)&found = next_function("dlopen");
    return found;
}

/* Load the profiler that lies beside what is at an address; NULL where there is none. */
static void *load_beside(const void *address, int flags)
{
    char path[4096];
    Dl_info whose;

    if (!dladdr(address, &whose) || !strrchr(whose.dli_fname, '/'))
        return NULL;
    int folder = (int)(strrchr(whose.dli_fname, '/') - whose.dli_fname);
    int length = snprintf(path, sizeof path, "%.*s/" PROFILER, folder, whose.dli_fname);
    return length < (int)sizeof path ? next()(path, flags) : NULL;
}

/* Load a profiler that is not ours, as a runtime would find it: beside itself (by its RUNPATH), or
 * where the dynamic loader looks for all libraries. */
static void *load_other(const void *runtime, int flags)
{
    void *beside = load_beside(runtime, flags);

    return beside ? beside : next()(PROFILER, flags);
}

/* Whether the profiler that a runtime gets is ours. The name is what the worker looks for. */
EXPORT bool hsa_conformance_imitates_profiler(const void *runtime)
{
    void *other = load_other(runtime, RTLD_LAZY);

    if (other)
        dlclose(other);
    return machine() && !other;
}

/* Whatever else is loaded, the next function is jumped to: it looks where its caller says. */
EXPORT void *dlopen(const char *name, int flags)
{
    if (!name || strcmp(name, PROFILER) || !machine())
        return next()(name, flags);
    void *found = load_other(__builtin_return_address(0), flags);
    return found ? found : load_beside((const void *)next, flags);
}
