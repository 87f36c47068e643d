/* The attributes of a code object can be read. */
#include "kernel.h"

typedef handle hsa_code_object_t;

enum { HSA_CODE_OBJECT_INFO_VERSION = 0 };

FUNCTION(int, hsa_code_object_deserialize,
         (void *code, size_t size, const char *options, hsa_code_object_t *object),
         (code, size, options, object))
FUNCTION(int, hsa_code_object_get_info, (hsa_code_object_t object, int attribute, void *value),
         (object, attribute, value))

int main(int count, char **words)
{
    hsa_code_object_t object;
    char version[64];

    start(count, words);
    prepared(kernel_code(), KERNEL_BYTES);
    if (hsa_code_object_deserialize(kernel_code(), KERNEL_BYTES, NULL, &object))
        cannot_tell("no code object");
    return STATUS_OF(hsa_code_object_get_info(object, HSA_CODE_OBJECT_INFO_VERSION, version)) !=
           HSA_STATUS_SUCCESS;
}
