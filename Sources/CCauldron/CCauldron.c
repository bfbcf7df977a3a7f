#define _GNU_SOURCE
#include "CCauldron.h"

#include <sys/syscall.h>
#include <unistd.h>

long cauldron_kernel_thread_id(void) { return syscall(SYS_gettid); }

// The linker defines these two names for a section whose name is a C identifier. They are weak, so
// that a program without entities links.
extern const char __start_cauldron_entities[] __attribute__((weak, visibility("hidden")));
extern const char __stop_cauldron_entities[] __attribute__((weak, visibility("hidden")));

const void *cauldron_entities_start(void) { return __start_cauldron_entities; }
const void *cauldron_entities_stop(void) { return __stop_cauldron_entities; }
