/* A library of tools for AMD's runtime: it writes down what it is given, and changes nothing.

   The runtime loads it for the environment variable HSA_TOOLS_LIB. Where the record is, the
   variable HSA_CONFORMANCE_RECORD says: an address in decimal digits. */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

/* As hsa_adapters/tools/__init__.py has it. */
struct record {
    uint64_t tables, version, loads, unloads;
};

static struct record *record(void)
{
    const char *where = getenv("HSA_CONFORMANCE_RECORD");
    return where ? (struct record *)(uintptr_t)strtoull(where, NULL, 10) : NULL;
}

EXPORTED bool OnLoad(void *tables, uint64_t version, uint64_t failed, const char *const *names)
{
    struct record *found = record();
    (void)failed, (void)names;
    if (found) {
        found->tables = (uintptr_t)tables;
        found->version = version;
        found->loads++;
    }
    return found != NULL;
}

EXPORTED void OnUnload(void)
{
    struct record *found = record();
    if (found)
        found->unloads++;
}
