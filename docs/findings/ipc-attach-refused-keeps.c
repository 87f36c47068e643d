/* A block of another process that could not be attached leaves no file and no mapping behind. */
#include "ipc.h"
#include "refusal.h"

/* Mappings that come to lie side by side are one, so that half of what is kept is enough. */
enum { ROUNDS = 32, LEAST = ROUNDS / 2 };

/* Whether each call that is refused leaves something behind. */
static int kept(int call)
{
    hsa_amd_ipc_memory_t name = memory_of_another_process();
    int files = 0, maps = 0;
    void *mapped;

    initialise();
    for (int round = -2; round < ROUNDS; round++) {
        if (round == 0) {
            files = open_files();
            maps = mappings();
        }
        refuse((struct refusal){.call = call, .error = ENOMEM});
        if (!hsa_amd_ipc_memory_attach(&name, SHARED_BYTES, 0, NULL, &mapped) || !refused())
            return NO_DEFECT;
    }
    files = open_files() - files;
    maps = mappings() - maps;
    printf("%d more files are open after %d calls, and there are %d more mappings\n", files,
           ROUNDS, maps);
    return files >= LEAST || maps >= LEAST;
}

static int shared_handle(void)
{
    return kept(IPC_IMPORT_HANDLE);
}

static int buffer(void)
{
    return kept(IMPORT_DMABUF);
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(shared_handle, buffer);
}
