#define _GNU_SOURCE
#include "CCauldron.h"

#include <sys/syscall.h>
#include <unistd.h>

// Kept for each thread: asking the kernel takes longer than most of what is done with the answer.
static __thread long kernel_thread_id;

long cauldron_kernel_thread_id(void) {
  if (kernel_thread_id == 0) kernel_thread_id = syscall(SYS_gettid);
  return kernel_thread_id;
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
