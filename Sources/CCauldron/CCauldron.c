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

// Observers of a save may save other contexts, on the thread that posts the notification.
static __thread int saves_in_hand;
// Each of many nested saves is told to several observers. Were only the depth limited, the number of
// saves would double with each level.
static __thread bool was_endless;

void cauldron_begin_save(int most) {
  if (++saves_in_hand > most) was_endless = true;
}

void cauldron_end_save(void) {
  if (--saves_in_hand == 0) was_endless = false;
}

bool cauldron_saves_are_endless(void) { return was_endless && saves_in_hand > 1; }

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
