/* Two threads look for a symbol of one code object at one time. */
#include "threads.h"

#include "kernel.h"

typedef handle hsa_code_object_t, hsa_code_symbol_t;

enum { ROUNDS = 50 };

FUNCTION(int, hsa_code_object_deserialize,
         (void *code, size_t size, const char *options, hsa_code_object_t *object),
         (code, size, options, object))
FUNCTION(int, hsa_code_object_get_symbol_from_name,
         (hsa_code_object_t object, const char *module, const char *name,
          hsa_code_symbol_t *symbol),
         (object, module, name, symbol))

static hsa_code_object_t object;
static hsa_code_symbol_t symbols[THREADS];
static int status_of[THREADS];

static void *look(void *number)
{
    int n = *(int *)number;

    meet();
    status_of[n] = hsa_code_object_get_symbol_from_name(object, NULL, "kernel.kd", &symbols[n]);
    return NULL;
}

static void new_object(void)
{
    if (hsa_code_object_deserialize(kernel_code(), KERNEL_BYTES, NULL, &object))
        cannot_tell("no code object");
}

static int defect(void)
{
    int number = 0;
    hsa_code_symbol_t before;

    initialise();
    prepared(kernel_code(), KERNEL_BYTES);
    new_object();
    arrived = THREADS; /* one thread waits for nobody */
    look(&number);
    before = symbols[0];
    look(&number);
    if (status_of[0] || symbols[0].handle != before.handle)
        cannot_tell("one thread does not find the same symbol twice");
    for (int round = 0; round < ROUNDS; round++) {
        new_object();
        begin(look);
        if (status_of[0] || status_of[1] || symbols[0].handle != symbols[1].handle)
            return DEFECT;
    }
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_code_object_get_symbol_from_name");
    return rate(defect);
}
