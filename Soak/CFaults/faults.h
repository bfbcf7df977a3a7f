#ifndef CAULDRON_FAULTS_H
#define CAULDRON_FAULTS_H

#include <sqlite3.h>

#include "CFaults.h"

// A file of the default VFS, which lies behind it in memory.
struct fault_file {
  sqlite3_file base;
  int32_t kind;
  sqlite3_file *real;
};

// Whether this call must fail: the code, or SQLITE_OK. Only one call of `SQLITE_OK` counts.
int cauldron_faults_next(enum cauldron_fault_method method, int32_t kind);

// The methods of every open file.
extern const sqlite3_io_methods cauldron_fault_io_methods;

#endif
