#ifndef CAULDRON_CSQLITE_PACK_H
#define CAULDRON_CSQLITE_PACK_H

#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

#include "../CCauldron/include/CauldronRow.h"

// The part of packing that runs for every cell of every fetched row. In C, because the loop lives
// in registers here and spilt half of them in Swift, which cost a third of its time.

// How one cell of a result becomes one slot of a packed row.
struct cauldron_step {
  // What to do with a cell that is not of the expected type; known to Swift alone.
  uint8_t conversion;
  // Whether nil needs no conversion, either.
  uint8_t takes_null;
  // The cell type that needs no conversion; 0 where every cell does.
  int16_t expected;
  // The position among the arguments.
  int32_t argument;
  // The slot to fill.
  int32_t slot;
  // The property's index, which is also the number of its null bit.
  int32_t property;
  // What stands in for a missing entity number.
  int32_t fallback;
  // The least integer that the slot may hold, and how many greater ones it may hold.
  int64_t low;
  uint64_t width;
};

// The row that is being packed.
struct cauldron_row {
  // The header, followed by the slots.
  int64_t *words;
  // Where the next text goes.
  char *text;
  // The null bits that lie beside the size, which is not known yet.
  int64_t nulls;
};

// Fills the slot of a property that has a value.
static inline void cauldron_set_slot(
    struct cauldron_row *row, const struct cauldron_step *step, int64_t slot) {
  row->words[CAULDRON_ROW_HEADER + step->slot] = slot;
  const long property = step->property;
  const int64_t bit = cauldron_row_null_bit(property);
  if (property < CAULDRON_ROW_NEAR_NULLS) {
    row->nulls &= ~bit;
  } else {
    row->words[cauldron_row_null_word(property)] &= ~bit;
  }
}

// Packs cells for as long as they are of the expected types and there is room, from the step with
// number `first` on. Returns the number of the step that needs more care, or `count`.
static inline long cauldron_pack(
    struct cauldron_row *out, const struct cauldron_step *steps, long first, long count,
    sqlite3_value **values, const void *limit) {
  struct cauldron_row row = *out;
  long index = first;
  for (; index < count; index++) {
    const struct cauldron_step *step = steps + index;
    sqlite3_value *value = values[step->argument];
    const int type = sqlite3_value_type(value);
    if (type != step->expected) {
      if (type != SQLITE_NULL || !step->takes_null) break;
      row.words[CAULDRON_ROW_HEADER + step->slot] = 0;
      continue;
    }
    int64_t slot;
    if (type == SQLITE_INTEGER) {
      slot = sqlite3_value_int64(value);
      if ((uint64_t)slot - (uint64_t)step->low > step->width) break;
    } else if (type == SQLITE_FLOAT) {
      const double real = sqlite3_value_double(value);
      memcpy(&slot, &real, sizeof slot);
    } else {
      // The text comes before its length, as asking for it may convert
      // (https://www.sqlite.org/c3ref/value_blob.html).
      const void *start =
          type == SQLITE_TEXT ? sqlite3_value_text(value) : sqlite3_value_blob(value);
      const long length = sqlite3_value_bytes(value);
      if ((const char *)limit - row.text < length + 8) break;
      slot = cauldron_row_pair((uint32_t)(row.text - (char *)row.words), (uint32_t)length);
      if (start) memcpy(row.text, start, length);
      row.text += length;
    }
    cauldron_set_slot(&row, step, slot);
  }
  *out = row;
  return index;
}

#endif
