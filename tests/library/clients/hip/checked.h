/* What the programs share: calls that have to succeed, and lines that say what came of a try. */
#pragma once

#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                 \
    do {                                                                            \
        const int status = static_cast<int>(call);                                  \
        if (status != 0) {                                                          \
            std::fprintf(stderr, "%s: %d\n", #call, status);                        \
            std::exit(2);                                                           \
        }                                                                           \
    } while (0)

/* How many results were wrong so far: the exit status of a program is whether any was. */
static int wrong = 0;

/* Say what a try found, and whether that is what the host computed. */
static void say(const char *what, size_t size, bool right)
{
    std::printf("%s of %zu: %s\n", what, size, right ? "right" : "WRONG");
    wrong += !right;
}

/* Memory of the device that holds the elements of a vector. */
template <class T> class OnDevice {
public:
    explicit OnDevice(const std::vector<T> &values) : size_(values.size())
    {
        CHECK(hipMalloc(reinterpret_cast<void **>(&at_), bytes()));
        CHECK(hipMemcpy(at_, values.data(), bytes(), hipMemcpyHostToDevice));
    }
    explicit OnDevice(size_t size) : OnDevice(std::vector<T>(size)) {}
    OnDevice(const OnDevice &) = delete;
    OnDevice &operator=(const OnDevice &) = delete;
    ~OnDevice() { CHECK(hipFree(at_)); }

    T *at() const { return at_; }
    size_t bytes() const { return size_ * sizeof(T); }
    std::vector<T> read() const
    {
        std::vector<T> values(size_);
        CHECK(hipMemcpy(values.data(), at_, bytes(), hipMemcpyDeviceToHost));
        return values;
    }

private:
    size_t size_;
    T *at_ = nullptr;
};
