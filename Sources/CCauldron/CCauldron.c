#define _GNU_SOURCE
#include "CCauldron.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Kept for each thread: asking the kernel takes longer than most of what is done with the answer.
static __thread long kernel_thread_id;

long cauldron_kernel_thread_id(void) {
  if (kernel_thread_id == 0) kernel_thread_id = syscall(SYS_gettid);
  return kernel_thread_id;
}

static bool stack_bounds(uintptr_t *end) {
  pthread_attr_t attributes;
  void *lowest = 0;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  int failure = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  *end = (uintptr_t)lowest + size;
  return failure == 0;
}

// Sanitizers take reading of another function's frame for a mistake.
__attribute__((noinline, no_sanitize("address", "thread")))
int cauldron_callers(uintptr_t *callers, int most) {
  uintptr_t end = 0;
  if (!stack_bounds(&end)) return 0;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  int count = 0;
  while (count < most && frame <= end - 2 * sizeof(uintptr_t) && frame % sizeof(uintptr_t) == 0) {
    uintptr_t next = ((const uintptr_t *)frame)[0];
    callers[count] = ((const uintptr_t *)frame)[1];
    count += 1;
    if (next <= frame) break;
    frame = next;
  }
  return count;
}

bool cauldron_image(uintptr_t address, const char **path, uintptr_t *base) {
  Dl_info info;
  if (dladdr((const void *)address, &info) == 0 || info.dli_fname == 0) return false;
  *path = info.dli_fname;
  *base = (uintptr_t)info.dli_fbase;
  return true;
}

// Exported by the language's run-time library.
extern char *swift_demangle(
    const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

char *cauldron_demangle(const char *name) {
  return swift_demangle(name, strlen(name), 0, 0, 0);
}

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
bool cauldron_is_sanitized(void) { return true; }
#else
bool cauldron_is_sanitized(void) { return false; }
#endif

// The linker defines these two names for a section whose name is a C identifier. They are weak, so
// that a program without entities links.
extern const char __start_cauldron_entities[] __attribute__((weak, visibility("hidden")));
extern const char __stop_cauldron_entities[] __attribute__((weak, visibility("hidden")));

const void *cauldron_entities_start(void) { return __start_cauldron_entities; }
const void *cauldron_entities_stop(void) { return __stop_cauldron_entities; }
