/* Serve agent dispatch packets on the host.
 *
 * A soft queue is a ring that the application itself reads. Agents that want something done by the
 * host write packets with a function's number and its arguments; a thread of the host waits for the
 * doorbell, does what each packet asks for, stores the result, and completes the packet.
 */
#include "client.h"

#include <pthread.h>

enum { SLOTS = 16, ADD = 0x8000, UPPER_CASE, STOP }; /* numbers from 0x8000 on are the application's */

static hsa_queue_t *queue;

static uint16_t type_of(const hsa_agent_dispatch_packet_t *packet)
{
    uint16_t header = __atomic_load_n(&packet->header, __ATOMIC_ACQUIRE);

    return header >> HSA_PACKET_HEADER_TYPE & ((1 << HSA_PACKET_HEADER_WIDTH_TYPE) - 1);
}

static void carry_out(const hsa_agent_dispatch_packet_t *packet)
{
    uint64_t *result = packet->return_address;
    char *text = (char *)(uintptr_t)packet->arg[0];

    switch (packet->type) {
    case ADD:
        for (int i = 0; i < 4; i++)
            *result += packet->arg[i];
        break;
    case UPPER_CASE:
        for (; *text; text++)
            if (*text >= 'a' && *text <= 'z')
                *text -= 'a' - 'A';
        break;
    }
}

static void *serve(void *served)
{
    uint64_t index = 0;
    bool stop = false;

    while (!stop) {
        hsa_agent_dispatch_packet_t *packet =
            (hsa_agent_dispatch_packet_t *)queue->base_address + index % queue->size;

        /* The doorbell holds the index of the last packet; it is negative before the first. */
        hsa_signal_wait_scacquire(queue->doorbell_signal, HSA_SIGNAL_CONDITION_GTE,
                                  (hsa_signal_value_t)index, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
        while (type_of(packet) != HSA_PACKET_TYPE_AGENT_DISPATCH)
            continue; /* a packet before it is being written yet */
        carry_out(packet);
        stop = packet->type == STOP;
        hsa_signal_t completion = packet->completion_signal;
        __atomic_store_n(&packet->header, HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE,
                         __ATOMIC_RELEASE);
        hsa_queue_store_read_index_screlease(queue, ++index);
        if (completion.handle != 0)
            hsa_signal_subtract_screlease(completion, 1);
    }
    *(uint64_t *)served = index;
    return NULL;
}

static void ask(uint16_t function, const uint64_t *arguments, void *result, hsa_signal_t completion)
{
    uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
    hsa_agent_dispatch_packet_t *packet =
        (hsa_agent_dispatch_packet_t *)queue->base_address + index % queue->size;

    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size)
        continue;
    memset((char *)packet + sizeof packet->header, 0, sizeof *packet - sizeof packet->header);
    packet->type = function;
    packet->return_address = result;
    if (arguments)
        memcpy(packet->arg, arguments, sizeof packet->arg);
    packet->completion_signal = completion;
    __atomic_store_n(&packet->header,
                     (uint16_t)(HSA_PACKET_TYPE_AGENT_DISPATCH << HSA_PACKET_HEADER_TYPE),
                     __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

static hsa_status_t look_at_region(hsa_region_t region, void *found)
{
    hsa_region_segment_t segment;
    hsa_region_global_flag_t flags;

    DO(hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment));
    if (segment != HSA_REGION_SEGMENT_GLOBAL)
        return HSA_STATUS_SUCCESS;
    DO(hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
    if (!(flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED))
        return HSA_STATUS_SUCCESS;
    *(hsa_region_t *)found = region;
    return HSA_STATUS_INFO_BREAK;
}

int main(void)
{
    hsa_region_t region = {0};
    hsa_signal_t doorbell, done;
    pthread_t server;
    uint64_t sums[100] = {0}, served, wrong = 0;
    char text[] = "served by the host";

    DO(hsa_init());
    hsa_agent_iterate_regions(first_agent(HSA_DEVICE_TYPE_CPU), look_at_region, &region);
    doorbell = new_signal(-1);
    DO(hsa_soft_queue_create(region, SLOTS, HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_FEATURE_AGENT_DISPATCH,
                             doorbell, &queue));
    printf("a soft queue of %u packets, %s\n", queue->size,
           queue->doorbell_signal.handle == doorbell.handle ? "with our doorbell" : "of its own");
    if (pthread_create(&server, NULL, serve, &served) != 0)
        fail("no thread");

    done = new_signal(101);
    for (uint64_t i = 0; i < 100; i++)
        ask(ADD, (uint64_t[4]){i, 10, 20, 30}, &sums[i], done);
    ask(UPPER_CASE, (uint64_t[4]){(uintptr_t)text}, NULL, done);
    wait_for(done, 0);
    for (uint64_t i = 0; i < 100; i++)
        wrong += sums[i] != i + 60;
    printf("100 sums, %" PRIu64 " wrong\n%s\n", wrong, text);

    ask(STOP, NULL, NULL, (hsa_signal_t){0});
    pthread_join(server, NULL);
    printf("%" PRIu64 " packets served\n", served);
    DO(hsa_queue_destroy(queue));
    DO(hsa_signal_destroy(doorbell));
    DO(hsa_signal_destroy(done));
    DO(hsa_shut_down());
    return 0;
}
