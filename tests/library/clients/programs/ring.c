/* Fill the ring of one queue from four threads.
 *
 * A thread takes the next index of the queue, waits until the ring has room for it, writes a barrier
 * packet there, its header last, and rings the doorbell. Each packet counts a signal down.
 */
#include "client.h"

#include <pthread.h>

enum { THREADS = 4, PACKETS = 1000 /* of each thread */, SLOTS = 64, EXTRA = 2 };

static hsa_queue_t *queue;
static hsa_signal_t done;

static void put_barrier(hsa_signal_t dependency, hsa_signal_t completion)
{
    uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
    hsa_barrier_and_packet_t *packet =
        (hsa_barrier_and_packet_t *)queue->base_address + index % queue->size;
    uint16_t header = HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE |
                      1 << HSA_PACKET_HEADER_BARRIER |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;

    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size)
        continue; /* the ring is full */
    /* All but the header, which stays HSA_PACKET_TYPE_INVALID until the rest is there. */
    memset((char *)packet + sizeof packet->header, 0, sizeof *packet - sizeof packet->header);
    packet->dep_signal[0] = dependency;
    packet->completion_signal = completion;
    __atomic_store_n(&packet->header, header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

static void *produce(void *unused)
{
    (void)unused;
    for (int i = 0; i < PACKETS; i++)
        put_barrier((hsa_signal_t){0}, done);
    return NULL;
}

static void report_error(hsa_status_t status, hsa_queue_t *source, void *data)
{
    (void)source;
    (void)data;
    printf("the queue reports %#x\n", (unsigned)status);
}

int main(void)
{
    hsa_agent_t gpu;
    hsa_signal_t gate, behind;
    pthread_t threads[THREADS];

    DO(hsa_init());
    gpu = first_agent(HSA_DEVICE_TYPE_GPU);
    DO(hsa_queue_create(gpu, SLOTS, HSA_QUEUE_TYPE_MULTI, report_error, NULL, UINT32_MAX,
                        UINT32_MAX, &queue));
    printf("a ring of %u packets\n", queue->size);
    done = new_signal(THREADS * PACKETS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, produce, NULL) != 0)
            fail("no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    wait_for(done, 0);
    printf("%d packets of %d threads are complete\n", THREADS * PACKETS, THREADS);

    /* The barrier bit holds the second packet back until the first one is complete. */
    gate = new_signal(1);
    behind = new_signal(EXTRA);
    for (int i = 0; i < EXTRA; i++)
        put_barrier(i == 0 ? gate : (hsa_signal_t){0}, behind);
    printf("before the gate opens: %" PRId64 " of %d are not\n",
           (int64_t)hsa_signal_wait_scacquire(behind, HSA_SIGNAL_CONDITION_LT, EXTRA, 100000,
                                              HSA_WAIT_STATE_BLOCKED), EXTRA);
    hsa_signal_store_screlease(gate, 0);
    wait_for(behind, 0);
    printf("after it: all are complete\n");
    while (hsa_queue_load_read_index_scacquire(queue) !=
           hsa_queue_load_write_index_scacquire(queue))
        continue; /* the queue may still be at the end of its last packet */
    printf("%" PRIu64 " packets were written and read\n",
           hsa_queue_load_read_index_scacquire(queue));

    DO(hsa_queue_destroy(queue));
    DO(hsa_signal_destroy(done));
    DO(hsa_signal_destroy(gate));
    DO(hsa_signal_destroy(behind));
    DO(hsa_shut_down());
    return 0;
}
