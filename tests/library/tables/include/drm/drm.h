/* Of the header of this name, linux/kfd_ioctl.h needs these alone. */
#include <linux/ioctl.h>
#include <linux/types.h>
