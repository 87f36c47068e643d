// The switches of edits: HSA_EDITS lists the numbers of those that are on, such as "3,17".
//
// HSA_EDITS_REACHED names a file of rows of bytes, one row for each function of the API by its
// number, and one, 0, for what no call leads to. In the row of the function that the program
// called, a byte becomes 1 when a call reaches the edit of that number. Processes share the file.
#pragma once

#ifdef __cplusplus
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

namespace switches {

constexpr int kEdits = 1024;
constexpr int kFunctions = 1024;

struct State {
  bool on[kEdits] = {};
  char* reached = nullptr;

  State() {
    for (const char* rest = getenv("HSA_EDITS"); rest && *rest;) {
      char* end;
      const long number = strtol(rest, &end, 10);
      if (number > 0 && number < kEdits) on[number] = true;
      rest = *end ? end + 1 : end;
    }
    const char* name = getenv("HSA_EDITS_REACHED");
    const int file = name && *name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0) return;
    if (ftruncate(file, kEdits * kFunctions) == 0) {
      void* rows = mmap(nullptr, kEdits * kFunctions, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (rows != MAP_FAILED) reached = static_cast<char*>(rows);
    }
    close(file);
  }
};

inline State state;
inline thread_local int called = 0;

inline bool on(int number) {
  if (state.reached) state.reached[called * kEdits + number] = 1;
  return state.on[number];
}

// A call of a function of the API, which calls others on behalf of the program's call.
class Call {
 public:
  explicit Call(int function) : outer_(called) {
    if (!outer_) called = function;
  }
  ~Call() { called = outer_; }

 private:
  const int outer_;
};

}  // namespace switches
#endif
