/* The first address behind reserved addresses is none of them. */
#include "pointers.h"
#include "vmem.h"

int main(int count, char **words)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    const size_t size = 8192;
    char *behind, *base;

    start(count, words);
    need_virtual_memory();
    behind = (char *)reserved(size) + size;
    if (hsa_amd_pointer_info(behind, &info, NULL, NULL, NULL))
        cannot_tell("nothing is said of the address");
    base = info.host_address ? info.host_address : info.agent_address;
    printf("kind %u, %zu bytes from %zd bytes before the address\n", info.type, info.bytes,
           behind - base);
    return info.type != HSA_EXT_POINTER_TYPE_UNKNOWN && base + info.bytes == behind;
}
