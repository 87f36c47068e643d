/* Code that ends before its headers say so has to be refused, and not to be read beyond its end. */
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "kernel.h"

enum { HEADER_BYTES = 64 };

static int defect(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *memory, *code = kernel_code();
    hsa_code_object_reader_t reader;
    struct loading loading;

    initialise();
    memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || munmap(memory + page, page))
        cannot_tell("no memory");
    loading = prepared(code, KERNEL_BYTES);
    memcpy(memory + page - HEADER_BYTES, code, HEADER_BYTES);
    if (STATUS_OF(hsa_code_object_reader_create_from_memory(memory + page - HEADER_BYTES,
                                                            HEADER_BYTES, &reader)))
        return NO_DEFECT;
    loading.reader = reader;
    return STATUS_OF(load_code(loading, NULL)) == HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
