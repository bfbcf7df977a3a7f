#ifndef CAULDRON_ROW_H
#define CAULDRON_ROW_H

#include <stdint.h>

// The layout of a packed row, said once for Swift and C:
//
//   word -k…-1  null bits of the properties from the 33rd on, 64 a word, nearest word first
//   word 0      Z_PK
//   word 1      Z_ENT | Z_OPT
//   word 2      size in bytes | null bits of the first 32 properties
//   word 3      the maker: the number of the change set that made the content; 0 for the store
//   word 4…     a slot for each property, in declaration order, inherited ones first;
//               then a slot for the entity number of each to-one whose destination has subentities
//   then        text and blob bytes; their slot is offset | length, from word 0
//
// where a | b has a in the upper half of the word. What computes is declared const, so that the
// optimizer of Swift sees through it as through a number.

enum {
  CAULDRON_ROW_KEY = 0,
  CAULDRON_ROW_NUMBERS = 1,
  CAULDRON_ROW_SIZE = 2,
  CAULDRON_ROW_MAKER = 3,
  /// The words before the first slot.
  CAULDRON_ROW_HEADER = 4,
  /// The properties whose null bits lie beside the size.
  CAULDRON_ROW_NEAR_NULLS = 32,
  /// A row begins in this many bytes from the beginning of its block, whose address is a multiple of
  /// it.
  CAULDRON_ROW_UNIT = 1 << 16,
};

/// The words of null bits before a row of so many properties.
__attribute__((const)) static inline long cauldron_row_leading_words(long properties) {
  return properties > CAULDRON_ROW_NEAR_NULLS ? (properties - CAULDRON_ROW_NEAR_NULLS + 63) / 64 : 0;
}

/// The word with a property's null bit.
__attribute__((const)) static inline long cauldron_row_null_word(long property) {
  return property < CAULDRON_ROW_NEAR_NULLS
      ? CAULDRON_ROW_SIZE : -1 - ((property - CAULDRON_ROW_NEAR_NULLS) >> 6);
}

/// A property's null bit in its word.
__attribute__((const)) static inline int64_t cauldron_row_null_bit(long property) {
  const long bit =
      property < CAULDRON_ROW_NEAR_NULLS ? property : (property - CAULDRON_ROW_NEAR_NULLS) & 63;
  return (int64_t)((uint64_t)1 << bit);
}

/// Makes the properties nil whose null bits lie before the row.
static inline void cauldron_row_clear_leading(int64_t *words, long leading) {
  for (long word = 1; word <= leading; word++) words[-word] = -1;
}

/// A word of two halves.
__attribute__((const)) static inline int64_t cauldron_row_pair(uint32_t upper, uint32_t lower) {
  return (int64_t)((uint64_t)upper << 32 | lower);
}

/// The upper half of a word.
__attribute__((const)) static inline uint32_t cauldron_row_upper(int64_t word) {
  return (uint32_t)((uint64_t)word >> 32);
}

/// The lower half of a word.
__attribute__((const)) static inline uint32_t cauldron_row_lower(int64_t word) {
  return (uint32_t)word;
}

#endif
