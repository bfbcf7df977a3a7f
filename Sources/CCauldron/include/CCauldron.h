#ifndef CAULDRON_C_H
#define CAULDRON_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CauldronRow.h"

/// Identifies the calling thread: the address of its block of thread-local storage, in one
/// instruction. It is declared const, so the optimizer sees through it and places no retain or
/// release around a property access.
__attribute__((const)) static inline uintptr_t cauldron_thread_id(void) {
  return (uintptr_t)__builtin_thread_pointer();
}

/// Whether a word, which other threads may write at any time, names the calling thread.
///
/// Declared pure for the same reason.
__attribute__((pure)) static inline _Bool cauldron_is_thread(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED) == cauldron_thread_id();
}

/// Reads a word that other threads may write at any time.
static inline uintptr_t cauldron_load_word(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/// Writes a word that other threads may read at any time.
static inline void cauldron_store_word(uintptr_t *word, uintptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// Reads a number that other threads may write at any time, and what they did before they wrote it.
static inline uint32_t cauldron_load(const uint32_t *number) {
  return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

/// Writes a number that other threads may read at any time.
static inline void cauldron_store(uint32_t *number, uint32_t value) {
  __atomic_store_n(number, value, __ATOMIC_RELEASE);
}

/// Begins to load what lies at an address, where the processor cannot guess that it will be needed.
static inline void cauldron_prefetch(const void *address) { __builtin_prefetch(address); }

/// The number that the kernel, debuggers and logs show for the calling thread.
long cauldron_kernel_thread_id(void);

/// Counts a level of a save that begins on the calling thread, within those that run there already, of
/// which there may be `most`.
void cauldron_begin_save(int most);

/// Counts a level of a save that ends.
void cauldron_end_save(void);

/// Whether no further save may run on the calling thread within the outermost one, since there were
/// too many there, one within another.
bool cauldron_saves_are_endless(void);

/// Whether the program was built with a sanitizer that watches memory.
bool cauldron_is_sanitized(void);

/// The bounds of the linker section `cauldron_entities` of the main program; both are null where
/// no entity was compiled in.
const void *cauldron_entities_start(void);
const void *cauldron_entities_stop(void);

#endif
