/* Functions of extensions, called before hsa_init, have to refuse, and not to end the process.
 *
 * usage: extensions-before-init [LIBRARY]      (default: libhsa-runtime64.so.1)
 * Exit status: 1 the defect is there, 0 it is not, 77 it cannot tell.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    uint64_t handle;
} handle; /* an agent, an image, or a program: all have this form */

typedef struct {
    uint64_t words[18];
} directives; /* hsa_ext_control_directives_t */

enum {
    CANNOT_TELL = 77, IMAGE_1D_MAX_ELEMENTS = 0x3000, LINEAR = 1, NOT_INITIALIZED = 0x100b,
    PROFILE_FULL = 1, READ_ONLY = 1, MACHINE_LARGE = 1, ROUND_NEAR = 2,
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

static void load(int count, char **words)
{
    library = dlopen(count > 1 ? words[1] : "libhsa-runtime64.so.1", RTLD_NOW);
    if (!library)
        cannot_tell(dlerror());
}

/* Run in a child, which may be killed: return its exit status, or 1 if a signal ended it. */
static int survive(int (*body)(void))
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(60);
        exit(body());
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        cannot_tell("no child");
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGALRM)
        cannot_tell("the call did not come back");
    printf("the process was ended by signal %d\n", WTERMSIG(status));
    return 1;
}

static int told(int status)
{
    printf("status %#x\n", (unsigned)status);
    return status != NOT_INITIALIZED;
}

static const handle none; /* before hsa_init nobody can have a handle of anything */
static const directives no_directives;
static uint64_t in[64], out[64], data[512];

static int module_callback(handle program, void *module, void *user)
{
    (void)program, (void)module, (void)user;
    return 0;
}

static int configuration_callback(const void *configuration, void *user)
{
    (void)configuration, (void)user;
    return 0;
}

static void ready_callback(void *user, size_t size, size_t lost, void *copy, void *session)
{
    (void)user, (void)size, (void)lost, (void)copy, (void)session;
}

typedef int modules(handle, void *, void *);
typedef int configurations(const void *, void *);
typedef void ready(void *, size_t, size_t, void *, void *);

/* Each function, with the types of its arguments and the arguments. */
#define CALLS(CALL)                                                                              \
    CALL(hsa_ext_program_create, (int, int, int, const char *, handle *),                        \
         (MACHINE_LARGE, PROFILE_FULL, ROUND_NEAR, NULL, (handle *)out))                         \
    CALL(hsa_ext_program_destroy, (handle), (none))                                              \
    CALL(hsa_ext_program_add_module, (handle, void *), (none, in))                               \
    CALL(hsa_ext_program_iterate_modules, (handle, modules *, void *),                           \
         (none, module_callback, NULL))                                                          \
    CALL(hsa_ext_program_get_info, (handle, int, void *), (none, 0, out))                        \
    CALL(hsa_ext_program_finalize,                                                               \
         (handle, handle, int32_t, directives, const char *, int, handle *),                     \
         (none, none, 0, no_directives, NULL, 0, (handle *)out))                                 \
    CALL(hsa_ext_image_get_capability, (handle, int, const void *, uint32_t *),                  \
         (none, 0, in, (uint32_t *)out))                                                         \
    CALL(hsa_ext_image_get_capability_with_layout,                                               \
         (handle, int, const void *, int, uint32_t *), (none, 0, in, LINEAR, (uint32_t *)out))   \
    CALL(hsa_ext_image_data_get_info, (handle, const void *, int, void *),                       \
         (none, in, READ_ONLY, out))                                                             \
    CALL(hsa_ext_image_data_get_info_with_layout,                                                \
         (handle, const void *, int, int, size_t, size_t, void *),                               \
         (none, in, READ_ONLY, LINEAR, 0, 0, out))                                               \
    CALL(hsa_ext_image_create, (handle, const void *, const void *, int, handle *),              \
         (none, in, data, READ_ONLY, (handle *)out))                                             \
    CALL(hsa_ext_image_create_with_layout,                                                       \
         (handle, const void *, const void *, int, int, size_t, size_t, handle *),               \
         (none, in, data, READ_ONLY, LINEAR, 0, 0, (handle *)out))                               \
    CALL(hsa_ext_image_destroy, (handle, handle), (none, none))                                  \
    CALL(hsa_ext_image_copy,                                                                     \
         (handle, handle, const void *, handle, const void *, const void *),                     \
         (none, none, in, none, in, in))                                                         \
    CALL(hsa_ext_image_import, (handle, const void *, size_t, size_t, handle, const void *),     \
         (none, data, 0, 0, none, in))                                                           \
    CALL(hsa_ext_image_export, (handle, handle, void *, size_t, size_t, const void *),           \
         (none, none, data, 0, 0, in))                                                           \
    CALL(hsa_ext_image_clear, (handle, handle, const void *, const void *),                      \
         (none, none, data, in))                                                                 \
    CALL(hsa_ext_sampler_create, (handle, const void *, handle *), (none, in, (handle *)out))    \
    CALL(hsa_ext_sampler_create_v2, (handle, const void *, handle *), (none, in, (handle *)out)) \
    CALL(hsa_ext_sampler_destroy, (handle, handle), (none, none))                                \
    CALL(hsa_amd_image_get_info_max_dim, (handle, int, void *),                                  \
         (none, IMAGE_1D_MAX_ELEMENTS, out))                                                     \
    CALL(hsa_ven_amd_pcs_iterate_configuration, (handle, configurations *, void *),              \
         (none, configuration_callback, NULL))                                                   \
    CALL(hsa_ven_amd_pcs_create,                                                                 \
         (handle, int, int, size_t, size_t, size_t, ready *, void *, handle *),                  \
         (none, 0, 0, 1, 0, sizeof data, ready_callback, NULL, (handle *)out))                   \
    CALL(hsa_ven_amd_pcs_create_from_id,                                                         \
         (uint32_t, handle, int, int, size_t, size_t, size_t, ready *, void *, handle *),        \
         (0, none, 0, 0, 1, 0, sizeof data, ready_callback, NULL, (handle *)out))                \
    CALL(hsa_ven_amd_pcs_destroy, (handle), (none))                                              \
    CALL(hsa_ven_amd_pcs_start, (handle), (none))                                                \
    CALL(hsa_ven_amd_pcs_stop, (handle), (none))                                                 \
    CALL(hsa_ven_amd_pcs_flush, (handle), (none))

#define BODY(name, types, arguments)                                                             \
    static int call_##name(void)                                                                 \
    {                                                                                            \
        int(*function) types;                                                                    \
                                                                                                 \
        if (!find(#name, &function))                                                             \
            return CANNOT_TELL; /* not in this release */                                        \
        printf("%s:\n", #name);                                                                  \
        fflush(stdout);                                                                          \
        return told(function arguments);                                                         \
    }

#define ROW(name, types, arguments) call_##name,

CALLS(BODY)

int main(int count, char **words)
{
    int (*const calls[])(void) = {CALLS(ROW)};
    int defects = 0, judged = 0;

    load(count, words);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int status = survive(calls[i]);

        if (status == CANNOT_TELL)
            continue;
        defects += status;
        judged++;
    }
    if (!judged)
        cannot_tell("no function of an extension");
    return defects > 0;
}
