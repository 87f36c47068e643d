/* Share memory and a signal between two processes.
 *
 * Memory is shared in two ways. Virtual memory is exported as a descriptor, which goes to the child
 * over a socket. A block of a pool, like a signal, has a name of 32 bytes, which may go any way. The
 * child reads both, answers in both, and stores to the signal.
 * Both processes initialise the runtime after the fork: no runtime survives one.
 */
#include "client.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "newer.h"

enum { ASKED = 1, ANSWERED = 2, TEXT = 4096 };

struct mapping {
    hsa_amd_vmem_alloc_handle_t handle;
    char *memory;
    size_t size;
};

struct names {
    hsa_amd_ipc_memory_t block;
    hsa_amd_ipc_signal_t signal;
};

/* Descriptors travel beside the bytes of a message. */
union control {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

static void send_both(int connection, int memory, const struct names *names)
{
    union control control = {{0}};
    struct iovec bytes = {(void *)names, sizeof *names};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof memory);
    memcpy(CMSG_DATA(header), &memory, sizeof memory);
    if (sendmsg(connection, &message, 0) != (ssize_t)sizeof *names)
        fail("cannot send");
}

static int receive_both(int connection, struct names *names)
{
    union control control;
    struct iovec bytes = {names, sizeof *names};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    int memory;

    if (recvmsg(connection, &message, 0) != (ssize_t)sizeof *names || !CMSG_FIRSTHDR(&message))
        fail("cannot receive");
    memcpy(&memory, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof memory);
    return memory;
}

/* Map all of a handle and let the CPU read and write it. */
static void map(struct mapping *mapping)
{
    hsa_amd_memory_access_desc_t access = {HSA_ACCESS_PERMISSION_RW,
                                           first_agent(HSA_DEVICE_TYPE_CPU)};
    void *address;

    DO(hsa_amd_vmem_address_reserve(&address, mapping->size, 0, 0));
    DO(hsa_amd_vmem_map(address, mapping->size, 0, mapping->handle, 0));
    DO(hsa_amd_vmem_set_access(address, mapping->size, &access, 1));
    mapping->memory = address;
}

static void unmap(const struct mapping *mapping)
{
    DO(hsa_amd_vmem_unmap(mapping->memory, mapping->size));
    DO(hsa_amd_vmem_address_free(mapping->memory, mapping->size));
    DO(hsa_amd_vmem_handle_release(mapping->handle));
}

static hsa_amd_memory_pool_t pool(void)
{
    return first_pool(first_agent(HSA_DEVICE_TYPE_GPU),
                      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
}

static size_t granule(void)
{
    size_t size;

    DO(hsa_amd_memory_pool_get_info(pool(), HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &size));
    return size;
}

/* Copy between a host's text and a block of the GPU, whose memory a CPU need not reach. */
static void copy(void *to, const void *from, bool to_gpu)
{
    hsa_agent_t cpu = first_agent(HSA_DEVICE_TYPE_CPU), gpu = first_agent(HSA_DEVICE_TYPE_GPU);
    hsa_signal_t done = new_signal(1);

    DO(hsa_amd_memory_async_copy(to, to_gpu ? gpu : cpu, from, to_gpu ? cpu : gpu, TEXT, 0, NULL,
                                 done));
    wait_for(done, 0);
    DO(hsa_signal_destroy(done));
}

/* Return memory of the host that the GPU may access. */
static char *new_text(void)
{
    hsa_agent_t gpu = first_agent(HSA_DEVICE_TYPE_GPU);
    void *text;

    DO(hsa_amd_memory_pool_allocate(first_pool(first_agent(HSA_DEVICE_TYPE_CPU),
                                               HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED),
                                    TEXT, 0, &text));
    DO(hsa_amd_agents_allow_access(1, &gpu, NULL, text));
    return text;
}

static int child(int connection)
{
    struct mapping mapping;
    struct names names;
    hsa_signal_t signal;
    void *block;
    char *text;
    int descriptor = receive_both(connection, &names);

    DO(hsa_init());
    DO(hsa_amd_vmem_import_shareable_handle(descriptor, &mapping.handle));
    close(descriptor); /* the handle holds the memory now */
    mapping.size = granule();
    map(&mapping);
    DO(hsa_amd_ipc_memory_attach(&names.block, granule(), 0, NULL, &block));
    DO(hsa_amd_ipc_signal_attach(&names.signal, &signal));
    text = new_text();
    copy(text, block, false);
    printf("child: the mapping says \"%s\", the block \"%s\", the signal %" PRId64 "\n",
           mapping.memory, text, (int64_t)hsa_signal_load_scacquire(signal));
    fflush(stdout);
    strcpy(mapping.memory, "well,");
    strcpy(text, "thank you");
    copy(block, text, true);
    hsa_signal_store_screlease(signal, ANSWERED);
    unmap(&mapping);
    DO(hsa_amd_memory_pool_free(text));
    DO(hsa_amd_ipc_memory_detach(block));
    DO(hsa_signal_destroy(signal));
    DO(hsa_shut_down());
    return 0;
}

static void parent(int connection)
{
    struct mapping mapping = {.size = granule()};
    struct names names;
    hsa_signal_t signal;
    int descriptor;
    void *block;
    char *text = new_text();

    DO(hsa_amd_vmem_handle_create(pool(), mapping.size, MEMORY_TYPE_NONE, 0, &mapping.handle));
    map(&mapping);
    strcpy(mapping.memory, "how are");
    DO(hsa_amd_vmem_export_shareable_handle(&descriptor, mapping.handle, 0));

    DO(hsa_amd_memory_pool_allocate(pool(), mapping.size, 0, &block));
    strcpy(text, "you?");
    copy(block, text, true);
    DO(hsa_amd_ipc_memory_create(block, mapping.size, &names.block));

    DO(hsa_amd_signal_create(ASKED, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal));
    DO(hsa_amd_ipc_signal_create(signal, &names.signal));

    send_both(connection, descriptor, &names);
    close(descriptor);
    wait_for(signal, ANSWERED);
    copy(text, block, false);
    printf("parent: the mapping says \"%s\", the block \"%s\"\n", mapping.memory, text);
    unmap(&mapping);
    DO(hsa_amd_memory_pool_free(text));
    DO(hsa_amd_memory_pool_free(block));
    DO(hsa_signal_destroy(signal));
}

int main(void)
{
    int ends[2], status;
    pid_t process;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        fail("no sockets");
    process = fork();
    if (process == 0)
        return child(ends[1]);
    close(ends[1]);
    DO(hsa_init());
    parent(ends[0]);
    if (waitpid(process, &status, 0) != process || status != 0)
        fail("the child failed");
    printf("both processes are done\n");
    DO(hsa_shut_down());
    return 0;
}
