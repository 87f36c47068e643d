/* Share memory and a signal between two processes.
 *
 * The parent exports memory of a GPU as a descriptor, which goes to the child over a socket, together
 * with the name of a signal. The child maps the memory, answers in it, and stores to the signal.
 * Both processes initialise the runtime after the fork: no runtime survives one.
 */
#include "client.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "newer.h"

enum { ASKED = 1, ANSWERED = 2 };

struct mapping {
    hsa_amd_vmem_alloc_handle_t handle;
    char *memory;
    size_t size;
};

/* Descriptors travel beside the bytes of a message, which are the name of the signal. */
union control {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

static void send_both(int connection, int memory, const hsa_amd_ipc_signal_t *name)
{
    union control control = {{0}};
    struct iovec bytes = {(void *)name, sizeof *name};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof memory);
    memcpy(CMSG_DATA(header), &memory, sizeof memory);
    if (sendmsg(connection, &message, 0) != (ssize_t)sizeof *name)
        fail("cannot send");
}

static int receive_both(int connection, hsa_amd_ipc_signal_t *name)
{
    union control control;
    struct iovec bytes = {name, sizeof *name};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    int memory;

    if (recvmsg(connection, &message, 0) != (ssize_t)sizeof *name || !CMSG_FIRSTHDR(&message))
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

static int child(int connection)
{
    hsa_amd_ipc_signal_t name;
    struct mapping mapping;
    hsa_signal_t signal;
    int descriptor = receive_both(connection, &name);

    DO(hsa_init());
    DO(hsa_amd_vmem_import_shareable_handle(descriptor, &mapping.handle));
    close(descriptor); /* the handle holds the memory now */
    mapping.size = granule();
    map(&mapping);
    DO(hsa_amd_ipc_signal_attach(&name, &signal));
    printf("child: the memory says \"%s\", the signal %" PRId64 "\n", mapping.memory,
           (int64_t)hsa_signal_load_scacquire(signal));
    fflush(stdout);
    strcpy(mapping.memory, "well, thank you");
    hsa_signal_store_screlease(signal, ANSWERED);
    unmap(&mapping);
    DO(hsa_signal_destroy(signal));
    DO(hsa_shut_down());
    return 0;
}

static void parent(int connection)
{
    hsa_amd_ipc_signal_t name;
    struct mapping mapping;
    hsa_signal_t signal;
    int descriptor;

    DO(hsa_init());
    mapping.size = granule();
    DO(hsa_amd_vmem_handle_create(pool(), mapping.size, MEMORY_TYPE_NONE, 0, &mapping.handle));
    map(&mapping);
    strcpy(mapping.memory, "how are you?");
    DO(hsa_amd_signal_create(ASKED, 0, NULL, HSA_AMD_SIGNAL_IPC, &signal));
    DO(hsa_amd_ipc_signal_create(signal, &name));
    DO(hsa_amd_vmem_export_shareable_handle(&descriptor, mapping.handle, 0));
    send_both(connection, descriptor, &name);
    close(descriptor);
    wait_for(signal, ANSWERED);
    printf("parent: the memory says \"%s\"\n", mapping.memory);
    unmap(&mapping);
    DO(hsa_signal_destroy(signal));
    DO(hsa_shut_down());
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
    parent(ends[0]);
    if (waitpid(process, &status, 0) != process || status != 0)
        fail("the child failed");
    printf("both processes are done\n");
    return 0;
}
