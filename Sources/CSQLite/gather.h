#ifndef CAULDRON_CSQLITE_GATHER_H
#define CAULDRON_CSQLITE_GATHER_H

#include <sqlite3.h>
#include <stdint.h>

// Sums and averages of integers, exact however many there are. In C, since a step runs for every row.

// A sum of 128 bits, in halves because SQLite gives memory for numbers of 64.
struct cauldron_whole {
  uint64_t low;
  int64_t high;
  int64_t count;
};

static void cauldron_whole_step(
  sqlite3_context *context, int count, sqlite3_value **values
) {
  (void)count;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
  struct cauldron_whole *whole =
    (struct cauldron_whole *)sqlite3_aggregate_context(context, sizeof(struct cauldron_whole));
  if (!whole) {
    sqlite3_result_error_nomem(context);
    return;
  }
  int64_t value = sqlite3_value_int64(values[0]);
  uint64_t low = whole->low + (uint64_t)value;
  whole->high += (value < 0 ? -1 : 0) + (low < whole->low ? 1 : 0);
  whole->low = low;
  whole->count++;
}

// The sum; 0 of nothing, and an error beyond 64 bits.
static void cauldron_whole_sum(sqlite3_context *context) {
  struct cauldron_whole *whole =
    (struct cauldron_whole *)sqlite3_aggregate_context(context, 0);
  if (!whole) {
    sqlite3_result_int64(context, 0);
  } else if (whole->high != ((int64_t)whole->low < 0 ? -1 : 0)) {
    sqlite3_result_error(context, "query.overflow", -1);
  } else {
    sqlite3_result_int64(context, (int64_t)whole->low);
  }
}

// The average; NULL of nothing.
static void cauldron_whole_average(sqlite3_context *context) {
  struct cauldron_whole *whole =
    (struct cauldron_whole *)sqlite3_aggregate_context(context, 0);
  if (!whole) {
    sqlite3_result_null(context);
    return;
  }
  __int128 sum = (__int128)(((unsigned __int128)(uint64_t)whole->high << 64) | whole->low);
  sqlite3_result_double(context, (double)sum / (double)whole->count);
}

#endif
