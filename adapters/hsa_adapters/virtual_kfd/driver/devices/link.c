/* A socket. A device that answers nothing any more is one that is gone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/kernel.h"
#include "base/machine.h"
#include "devices/link.h"

#define MOMENT_MS 1
#define PATIENCE_S 60
#define FAREWELL_MS 10000

/* The name of a socket is short, so a folder with a long one is reached by its descriptor. */
static bool name_of(struct sockaddr_un *address, int folder)
{
    size_t room = sizeof address->sun_path;
    int length = snprintf(address->sun_path, room, "%s/" DEVICE_SOCKET, machine()->folder);

    if ((size_t)length >= room)
        snprintf(address->sun_path, room, "/proc/self/fd/%d/" DEVICE_SOCKET, folder);
    return folder >= 0;
}

int link_open(void)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int folder = kernel_open(AT_FDCWD, machine()->folder, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    int link = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (link >= 0 && (!name_of(&address, folder) ||
                      connect(link, (struct sockaddr *)&address, sizeof address))) {
        close(link);
        link = -1;
    }
    if (folder >= 0)
        close(folder);
    if (link < 0)
        return -1;
    setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return hidden(link);
}

static bool send_all(int link, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t done = 0; done < size;) {
        ssize_t sent = send(link, bytes + done, size - done, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        done += (uint64_t)sent;
    }
    return true;
}

bool link_send(int link, const struct head *head, const void *bytes, int descriptor)
{
    union {
        struct cmsghdr align;
        uint8_t bytes[CMSG_SPACE(sizeof descriptor)];
    } control = {0};
    struct iovec part = {(void *)head, sizeof *head};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *given = CMSG_FIRSTHDR(&message);
        given->cmsg_level = SOL_SOCKET;
        given->cmsg_type = SCM_RIGHTS;
        given->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(given), &descriptor, sizeof descriptor);
    }
    ssize_t sent = sendmsg(link, &message, MSG_NOSIGNAL);
    return sent > 0 && send_all(link, (const uint8_t *)head + sent, sizeof *head - (size_t)sent) &&
           send_all(link, bytes, head->size);
}

bool link_has(int link)
{
    struct pollfd waited = {.fd = link, .events = POLLIN};

    return poll(&waited, 1, MOMENT_MS) > 0;
}

static bool receive_all(int link, void *bytes, uint64_t size)
{
    return !size || recv(link, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

bool link_receive(int link, struct head *head, void *bytes)
{
    return receive_all(link, head, sizeof *head) && head->size <= MOST_BYTES &&
           receive_all(link, bytes, head->size);
}

void link_close(int link)
{
    struct pollfd waited = {.fd = link, .events = POLLIN};
    uint8_t rest[256];

    shutdown(link, SHUT_WR);
    while (poll(&waited, 1, FAREWELL_MS) > 0 && recv(link, rest, sizeof rest, 0) > 0)
        ;
    close(link);
}
