/* Be called by the runtime: when a signal meets a condition, later, when a queue errs, at the end. */
#include "client.h"

static hsa_signal_t news, answered;

/* Called whenever the signal is at least 1, as long as it returns true. */
static bool on_news(hsa_signal_value_t value, void *argument)
{
    int *calls = argument;

    printf("call %d of the handler: the signal is %" PRId64 "\n", ++*calls, (int64_t)value);
    hsa_signal_store_relaxed(news, 0); /* before it returns, or it would be called once more */
    hsa_signal_add_screlease(answered, 1);
    return value < 30;
}

static void later(void *argument)
{
    printf("a function is called with \"%s\"\n", (const char *)argument);
    hsa_signal_add_screlease(answered, 1);
}

static void on_queue_error(hsa_status_t status, hsa_queue_t *queue, void *argument)
{
    (void)queue;
    printf("the queue reports %s\n", status == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT
                                         ? "an invalid packet" : "something else");
    hsa_signal_add_screlease(*(hsa_signal_t *)argument, 1);
}

static hsa_status_t on_event(const hsa_amd_event_t *event, void *argument)
{
    (void)argument;
    printf("%s\n", event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT ? "a memory fault" : "the end");
    return HSA_STATUS_SUCCESS;
}

/* Put a packet of a type that there is not into the ring. */
static void spoil(hsa_queue_t *queue)
{
    uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
    hsa_barrier_and_packet_t *packet =
        (hsa_barrier_and_packet_t *)queue->base_address + index % queue->size;

    memset((char *)packet + sizeof packet->header, 0, sizeof *packet - sizeof packet->header);
    __atomic_store_n(&packet->header, (uint16_t)(0x7f << HSA_PACKET_HEADER_TYPE), __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

int main(void)
{
    hsa_queue_t *queue;
    int calls = 0;

    DO(hsa_init());
    DO(hsa_amd_register_system_event_handler(on_event, NULL));
    news = new_signal(0);
    answered = new_signal(0);

    DO(hsa_amd_signal_async_handler(news, HSA_SIGNAL_CONDITION_GTE, 1, on_news, &calls));
    for (int i = 1; i <= 3; i++) {
        hsa_signal_store_screlease(news, 10 * i);
        wait_for(answered, i);
    }
    hsa_signal_store_screlease(news, 40); /* the handler has returned false, and is gone */
    printf("after the last call: %" PRId64 " calls\n",
           (int64_t)hsa_signal_wait_scacquire(answered, HSA_SIGNAL_CONDITION_NE, 3, 100000,
                                              HSA_WAIT_STATE_BLOCKED));

    DO(hsa_amd_async_function(later, "an argument"));
    wait_for(answered, 4);

    DO(hsa_queue_create(first_agent(HSA_DEVICE_TYPE_GPU), 64, HSA_QUEUE_TYPE_SINGLE, on_queue_error,
                        &answered, UINT32_MAX, UINT32_MAX, &queue));
    spoil(queue);
    wait_for(answered, 5);
    DO(hsa_queue_destroy(queue));

    DO(hsa_signal_destroy(news));
    DO(hsa_signal_destroy(answered));
    DO(hsa_shut_down());
    return 0;
}
