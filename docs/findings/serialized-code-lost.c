/* Code that could not be serialized for want of memory leaves nothing behind on the heap. */
#include "heap_refusals.h"
#include "heap.h"
#include "kernel.h"

enum { ROUNDS = 64, LEAST_BYTES = 64 };

typedef int allocator(size_t size, handle data, void **block);

FUNCTION(int, hsa_code_object_deserialize,
         (void *code, size_t size, const char *options, handle *object),
         (code, size, options, object))
FUNCTION(int, hsa_code_object_serialize,
         (handle object, allocator *allocate, handle data, const char *options, void **copy,
          size_t *size),
         (object, allocate, data, options, copy, size))
FUNCTION(int, hsa_code_object_destroy, (handle object), (object))

static int allocate(size_t size, handle data, void **block)
{
    static unsigned char memory[1 << 16];

    (void)data;
    *block = memory;
    return size > sizeof memory ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_SUCCESS;
}

static int defect(void)
{
    struct loading loading;
    size_t before = 0, after, size;
    void *copy;

    initialise();
    loading = prepared(kernel_code(), KERNEL_BYTES);
    for (int round = -ROUNDS; round < ROUNDS; round++) {
        handle object;
        int status;

        if (round == 0)
            before = in_use();
        if (hsa_code_object_deserialize(kernel_code(), KERNEL_BYTES, NULL, &object))
            cannot_tell("the code is none");
        refuse_memory();
        status = hsa_code_object_serialize(object, allocate, loading.reader, NULL, &copy, &size);
        if (!memory_refused())
            return NO_MORE;
        if (!status)
            return NO_DEFECT;
        if (hsa_code_object_destroy(object))
            cannot_tell("the code is not destroyed");
    }
    after = in_use();
    printf("%zd bytes more after %d calls\n", (ssize_t)(after - before), ROUNDS);
    return after >= before + (size_t)ROUNDS * LEAST_BYTES;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
