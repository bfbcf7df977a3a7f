#ifndef CAULDRON_CSQLITE_SHIM_H
#define CAULDRON_CSQLITE_SHIM_H

#include <sqlite3.h>

#include "gather.h"
#include "pack.h"

// Swift cannot import a cast to a function pointer; SQLITE_TRANSIENT is one.
static inline sqlite3_destructor_type cauldron_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

// Variadic functions are not imported.
static inline int cauldron_sqlite_db_config_bool(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

#endif
