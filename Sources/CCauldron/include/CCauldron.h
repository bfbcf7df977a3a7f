#ifndef CAULDRON_C_H
#define CAULDRON_C_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/// Identifies the calling thread. glibc declares `pthread_self` const, so the optimizer sees
/// through it and no retain or release is placed around a property access.
__attribute__((const)) static inline uintptr_t cauldron_thread_id(void) {
  return (uintptr_t)pthread_self();
}

/// The number that the kernel, debuggers and logs show for the calling thread.
long cauldron_kernel_thread_id(void);

/// The bounds of the linker section `cauldron_entities` of the main program; both are null where
/// no entity was compiled in.
const void *cauldron_entities_start(void);
const void *cauldron_entities_stop(void);

#endif
