/* Functions of extensions, called before hsa_init, have to refuse, and not to end the process. */
#include "finding.h"

typedef handle agent, image, sampler, program, session;

typedef struct {
    uint64_t words[18];
} directives; /* hsa_ext_control_directives_t */

enum {
    HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS = 0x3000, LINEAR = 1, PROFILE_FULL = 1, READ_ONLY = 1,
    MACHINE_LARGE = 1, ROUND_NEAR = 2,
};

static const handle none; /* before hsa_init nobody can have a handle of anything */
static const directives no_directives;
static uint64_t in[64], out[64], data[512];

typedef int modules(program program, void *module, void *user);
typedef int configurations(const void *configuration, void *user);
typedef void ready(void *user, size_t size, size_t lost, void *copy, void *session);

static int no_module(program program, void *module, void *user)
{
    (void)program, (void)module, (void)user;
    return 0;
}

static int no_configuration(const void *configuration, void *user)
{
    (void)configuration, (void)user;
    return 0;
}

static void not_ready(void *user, size_t size, size_t lost, void *copy, void *session)
{
    (void)user, (void)size, (void)lost, (void)copy, (void)session;
}

/* Each function, with the types of its arguments and the arguments. */
#define CALLS(CALL)                                                                              \
    CALL(hsa_ext_program_create, (int, int, int, const char *, handle *),                        \
         (MACHINE_LARGE, PROFILE_FULL, ROUND_NEAR, NULL, (handle *)out))                         \
    CALL(hsa_ext_program_destroy, (handle), (none))                                              \
    CALL(hsa_ext_program_add_module, (handle, void *), (none, in))                               \
    CALL(hsa_ext_program_iterate_modules, (handle, modules *, void *),                           \
         (none, no_module, NULL))                                                          \
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
         (none, HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS, out))                                                     \
    CALL(hsa_ven_amd_pcs_iterate_configuration, (handle, configurations *, void *),              \
         (none, no_configuration, NULL))                                                   \
    CALL(hsa_ven_amd_pcs_create,                                                                 \
         (handle, int, int, size_t, size_t, size_t, ready *, void *, handle *),                  \
         (none, 0, 0, 1, 0, sizeof data, not_ready, NULL, (handle *)out))                   \
    CALL(hsa_ven_amd_pcs_create_from_id,                                                         \
         (uint32_t, handle, int, int, size_t, size_t, size_t, ready *, void *, handle *),        \
         (0, none, 0, 0, 1, 0, sizeof data, not_ready, NULL, (handle *)out))                \
    CALL(hsa_ven_amd_pcs_destroy, (handle), (none))                                              \
    CALL(hsa_ven_amd_pcs_start, (handle), (none))                                                \
    CALL(hsa_ven_amd_pcs_stop, (handle), (none))                                                 \
    CALL(hsa_ven_amd_pcs_flush, (handle), (none))

#define DEFINE(name, types, arguments)                                                           \
    static int call_##name(void)                                                                 \
    {                                                                                            \
        int(*function) types;                                                                    \
                                                                                                 \
        find(#name, (void *)&function);                                                          \
        print_call(#name);                                                                       \
        (void)print_status(function arguments); /* any is right */                               \
        return 0;                                                                                \
    }
CALLS(DEFINE)

#define BODY(name, types, arguments) call_##name,

int main(int count, char **words)
{
    body *const calls[] = {CALLS(BODY) NULL};

    load(count, words);
    return any_of(calls);
}
