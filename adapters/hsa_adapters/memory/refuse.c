/* Refusals of memory that a test asks for: the n-th request of a library fails, or each from there.
 *
 * Preloaded, it stands before the functions of the heap, whoever has them. What is counted, and
 * refused, is what code of the library under test asks for, or the runtime of C++ on its behalf, in
 * the first thread of a process and while a test says so: nobody else ever meets a refusal.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

enum { NOTED = 8, NAME = 64 };

/* A request: the function of the heap, how many bytes, and the library's instruction behind the call,
 * as an address in its file; 0 where nobody knows. */
struct request {
    char function[16];
    uint64_t size, place;
};

/* What the tester's side reads and writes; see `MemoryFaults`. */
static struct state {
    int32_t counting; /* whether requests are counted */
    int32_t armed;    /* whether one is going to be refused, */
    int32_t after;    /* how many are not, before it, */
    int32_t lasting;  /* and whether all later ones are */
    int32_t made;
    int32_t hits;
    int32_t noted;               /* how many of the requests below there are */
    int32_t alike;               /* how many of the size of the first of them were met before it */
    struct request next[NOTED];  /* the first that was refused, and those after it */
    char file[NAME];             /* the name of the library's file */
} *state;

enum { MOST = 32 };
static struct range {
    uintptr_t begin, end, base;
    bool own; /* the library's, and not the C++ runtime's */
} judged[MOST];
static int ranges;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("HSA_CONFORMANCE_MEMORY");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

    if (file < 0)
        return;
    void *shared = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    state = shared == MAP_FAILED ? NULL : shared;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_cpp(const char *path)
{
    const char *name = name_of(path);

    return !strncmp(name, "libstdc++.so", 12) || !strncmp(name, "libc++.so", 9) ||
           !strncmp(name, "libc++abi.so", 12);
}

static bool holds(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return true;
    }
    return false;
}

static int note(struct dl_phdr_info *object, size_t size, void *library)
{
    (void)size;
    bool own = holds(object, (uintptr_t)library);

    if (!own && !is_cpp(object->dlpi_name))
        return 0;
    if (own && state)
        strncpy(state->file, name_of(object->dlpi_name), NAME - 1);
    for (int i = 0; i < object->dlpi_phnum && ranges < MOST; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X)
            judged[ranges++] =
                (struct range){start, start + part->p_memsz, object->dlpi_addr, own};
    }
    return 0;
}

/* Say which library is under test, by an address in it. */
EXPORT void hsa_conformance_memory_of(void *library)
{
    ranges = 0;
    dl_iterate_phdr(note, library);
}

static const struct range *range_of(uintptr_t address)
{
    for (int i = 0; i < ranges; i++)
        if (address >= judged[i].begin && address < judged[i].end)
            return &judged[i];
    return NULL;
}

/* Go on to the innermost frame of the library. */
static _Unwind_Reason_Code outward(struct _Unwind_Context *frame, void *place)
{
    uintptr_t address = _Unwind_GetIP(frame);
    const struct range *range = range_of(address);

    if (!range || !range->own)
        return _URC_NO_REASON;
    *(uint64_t *)place = address - range->base;
    return _URC_END_OF_STACK;
}

/* The sizes of the requests that were counted, as far as there is room for them. */
enum { SIZES = 4096 };
static size_t sizes[SIZES];

static int32_t met_before(int32_t made, size_t size)
{
    int32_t found = 0;

    for (int32_t i = 0; i < made && i < SIZES; i++)
        found += sizes[i] == size;
    return found;
}

static void note_request(const char *function, size_t size)
{
    struct request *request = &state->next[state->noted++];

    strncpy(request->function, function, sizeof request->function - 1);
    request->size = size;
    request->place = 0;
    _Unwind_Backtrace(outward, &request->place);
}

static bool refused(const void *caller, const char *function, size_t size)
{
    if (!state || !state->counting || !range_of((uintptr_t)caller) ||
        syscall(SYS_gettid) != getpid())
        return false;
    if (state->made < SIZES)
        sizes[state->made] = size;
    bool meant = state->armed && state->after-- <= 0;
    if (meant && !state->hits)
        state->alike = met_before(state->made, size);
    state->made++;
    if (meant) {
        state->after = 0;
        state->armed = state->lasting;
        state->hits++;
    }
    if (state->hits && state->noted < NOTED)
        note_request(function, size);
    if (meant)
        errno = ENOMEM;
    return meant;
}

/* The functions behind these. To look for them may take memory, which the C library's own give. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static struct {
    __typeof__(&malloc) malloc;
    __typeof__(&calloc) calloc;
    __typeof__(&realloc) realloc;
    __typeof__(&aligned_alloc) memalign, aligned_alloc;
    __typeof__(&posix_memalign) posix_memalign;
} next;

static bool found(void)
{
    static __thread bool looking __attribute__((tls_model("initial-exec")));

    if (next.posix_memalign)
        return true;
    if (looking)
        return false;
    looking = true;
    next.malloc = dlsym(RTLD_NEXT, "malloc");
    next.calloc = dlsym(RTLD_NEXT, "calloc");
    next.realloc = dlsym(RTLD_NEXT, "realloc");
    next.memalign = dlsym(RTLD_NEXT, "memalign");
    next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    looking = false;
    return true;
}

EXPORT void *malloc(size_t size)
{
    if (refused(CALLER, __func__, size))
        return NULL;
    return found() ? next.malloc(size) : __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    if (refused(CALLER, __func__, count * size))
        return NULL;
    return found() ? next.calloc(count, size) : __libc_calloc(count, size);
}

EXPORT void *realloc(void *old, size_t size)
{
    /* A size of 0 gives back what there is. */
    if ((size || !old) && refused(CALLER, __func__, size))
        return NULL;
    return found() ? next.realloc(old, size) : __libc_realloc(old, size);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    if (refused(CALLER, __func__, size))
        return NULL;
    return found() ? next.memalign(alignment, size) : __libc_memalign(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    if (refused(CALLER, __func__, size))
        return NULL;
    return found() ? next.aligned_alloc(alignment, size) : __libc_memalign(alignment, size);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (refused(CALLER, __func__, size))
        return ENOMEM;
    if (found())
        return next.posix_memalign(block, alignment, size);
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
