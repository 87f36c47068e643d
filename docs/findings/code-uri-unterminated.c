/* The URI of loaded code ends with a NUL byte, which its length does not count. */
#include "kernel.h"
#include "loader.h"

enum { UNTOUCHED = 0xa5 };
enum {
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH = 11,
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI = 12,
};

int main(int count, char **words)
{
    struct loading loading;
    struct loader loader;
    handle loaded;
    uint32_t length;
    unsigned char *uri;

    start(count, words);
    loader = loader_table();
    loading = prepared(kernel_code(), KERNEL_BYTES);
    if (hsa_executable_load_agent_code_object(loading.executable, loading.gpu, loading.reader, NULL,
                                              &loaded))
        cannot_tell("the code is not loaded");
    if (loader.loaded_code_object_get_info(
            loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length))
        cannot_tell("no length");
    uri = malloc(length + 1);
    memset(uri, UNTOUCHED, length + 1);
    if (loader.loaded_code_object_get_info(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI,
                                           uri))
        cannot_tell("no URI");
    printf("length %u, then %#x\n", length, uri[length]);
    return uri[length] != 0;
}
