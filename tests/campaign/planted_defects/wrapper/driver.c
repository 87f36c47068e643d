/* Stands between the wrapped library and the driver: its calls go through the addresses that the
   dynamic loader has put into the library's tables. */
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include "planted.h"

extern void *wrapped;

_Thread_local unsigned refusals;
bool (*leaves_out)(unsigned call);
bool (*takes_for_granted)(unsigned call);

static void *replace_in(const Elf64_Rela *rows, size_t size, const struct link_map *map,
                        const Elf64_Sym *symbols, const char *strings, const char *name, void *by)
{
    void *before = NULL;
    for (size_t i = 0; i < size / sizeof *rows; i++) {
        uint64_t type = ELF64_R_TYPE(rows[i].r_info);
        if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
            continue;
        if (strcmp(strings + symbols[ELF64_R_SYM(rows[i].r_info)].st_name, name) != 0)
            continue;
        void **entry = (void **)(map->l_addr + rows[i].r_offset);
        char *page = (char *)((uintptr_t)entry & ~(uintptr_t)4095);
        mprotect(page, 4096, PROT_READ | PROT_WRITE);
        before = *entry;
        *entry = by;
    }
    return before;
}

/* Let the library call another function than the one of this name; return that one. */
static void *replace(const char *name, void *by)
{
    const struct link_map *map = wrapped;
    const Elf64_Rela *rows[2] = {0};
    size_t sizes[2] = {0};
    const Elf64_Sym *symbols = NULL;
    const char *strings = NULL;
    for (const Elf64_Dyn *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_JMPREL: rows[0] = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: sizes[0] = entry->d_un.d_val; break;
        case DT_RELA: rows[1] = (const void *)entry->d_un.d_ptr; break;
        case DT_RELASZ: sizes[1] = entry->d_un.d_val; break;
        case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: strings = (const void *)entry->d_un.d_ptr; break;
        default: break;
        }
    }
    void *found = NULL;
    for (int i = 0; i < 2; i++) {
        void *before = replace_in(rows[i], sizes[i], map, symbols, strings, name, by);
        found = before ? before : found;
    }
    return found;
}

/* What is missing or interrupted is no refusal. */
static bool refused(int error)
{
    return error != ENOENT && error != EINTR && error != EINVAL && error != ENOTTY;
}

static bool left_out(unsigned call)
{
    return leaves_out && leaves_out(call);
}

/* Note a refusal; return whether the library does not learn of it. */
static bool note(unsigned call, int error)
{
    if (!refused(error))
        return false;
    refusals++;
    return takes_for_granted && takes_for_granted(call);
}

static int (*real_ioctl)(int, unsigned long, void *);
static int watched_ioctl(int descriptor, unsigned long request, void *argument)
{
    unsigned call = request & 0xff;
    if (left_out(call))
        return 0;
    int result = real_ioctl(descriptor, request, argument);
    return result < 0 && note(call, errno) ? 0 : result;
}

static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static void *watched_mmap(void *address, size_t size, int protection, int flags, int descriptor,
                          off_t offset)
{
    void *result = real_mmap(address, size, protection, flags, descriptor, offset);
    if (result == MAP_FAILED)
        note(CALL_MMAP, errno);
    return result;
}

static int (*real_munmap)(void *, size_t);
static int watched_munmap(void *address, size_t size)
{
    return left_out(CALL_MUNMAP) ? 0 : real_munmap(address, size);
}

static int (*real_open)(const char *, int, mode_t);
static int watched_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    int result = real_open(path, flags, mode);
    if (result < 0)
        note(CALL_OPEN, errno);
    return result;
}

static int (*real_close)(int);
static int watched_close(int descriptor)
{
    return left_out(CALL_CLOSE) ? 0 : real_close(descriptor);
}

static FILE *(*real_fopen)(const char *, const char *);
static FILE *watched_fopen(const char *path, const char *mode)
{
    FILE *result = real_fopen(path, mode);
    if (!result)
        note(CALL_FILE, errno);
    return result;
}

static int (*real_thread)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int watched_thread(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    int result = real_thread(thread, attributes, start, argument);
    if (result)
        note(CALL_THREAD, result);
    return result;
}

typedef int drm_function(long, long, long, long, long, long);
#define DRM(name) \
    static drm_function *real_##name; \
    static int watched_##name(long a, long b, long c, long d, long e, long f) \
    { \
        int result = real_##name(a, b, c, d, e, f); \
        return result && note(CALL_DRM, result < 0 ? -result : result) ? 0 : result; \
    }
DRM(amdgpu_device_initialize)
DRM(amdgpu_bo_import)
DRM(amdgpu_bo_export)
DRM(amdgpu_bo_va_op)
DRM(amdgpu_bo_cpu_map)
DRM(amdgpu_bo_query_info)
DRM(amdgpu_bo_set_metadata)
DRM(drmCommandWriteRead)

void watch_driver(void)
{
    *(void **)&real_ioctl = replace("ioctl", watched_ioctl);
    *(void **)&real_mmap = replace("mmap", watched_mmap);
    *(void **)&real_munmap = replace("munmap", watched_munmap);
    *(void **)&real_open = replace("open", watched_open);
    *(void **)&real_close = replace("close", watched_close);
    *(void **)&real_fopen = replace("fopen", watched_fopen);
    *(void **)&real_thread = replace("pthread_create", watched_thread);
#define WATCH(name) *(void **)&real_##name = replace(#name, watched_##name)
    WATCH(amdgpu_device_initialize);
    WATCH(amdgpu_bo_import);
    WATCH(amdgpu_bo_export);
    WATCH(amdgpu_bo_va_op);
    WATCH(amdgpu_bo_cpu_map);
    WATCH(amdgpu_bo_query_info);
    WATCH(amdgpu_bo_set_metadata);
    WATCH(drmCommandWriteRead);
}
