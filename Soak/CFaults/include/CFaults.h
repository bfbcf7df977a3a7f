#ifndef CAULDRON_CFAULTS_H
#define CAULDRON_CFAULTS_H

#include <stdbool.h>
#include <stdint.h>

// A VFS that does what the default one does until it is told to fail. It is process-wide, so it
// belongs in a program of its own.

// The methods that can fail; the first ones concern an open file.
enum cauldron_fault_method {
  CAULDRON_FAULT_READ,
  CAULDRON_FAULT_WRITE,
  CAULDRON_FAULT_TRUNCATE,
  CAULDRON_FAULT_SYNC,
  CAULDRON_FAULT_FILE_SIZE,
  CAULDRON_FAULT_LOCK,
  CAULDRON_FAULT_UNLOCK,
  CAULDRON_FAULT_CHECK_RESERVED_LOCK,
  CAULDRON_FAULT_FILE_CONTROL,
  CAULDRON_FAULT_SHM_MAP,
  CAULDRON_FAULT_SHM_LOCK,
  CAULDRON_FAULT_SHM_UNMAP,
  CAULDRON_FAULT_OPEN,
  CAULDRON_FAULT_DELETE,
  CAULDRON_FAULT_ACCESS,
  CAULDRON_FAULT_FULL_PATHNAME,
  CAULDRON_FAULT_METHODS,
  // Every method, each with its own general error: the device is gone.
  CAULDRON_FAULT_DEVICE = CAULDRON_FAULT_METHODS
};

// The kinds of files, as bits.
enum cauldron_fault_files {
  CAULDRON_FAULT_DATABASE = 1,
  CAULDRON_FAULT_LOG = 2,
  CAULDRON_FAULT_OTHER = 4,
  CAULDRON_FAULT_ALL_FILES = 7
};

struct cauldron_fault {
  int32_t method;
  // Which files fail, for methods of an open file.
  int32_t files;
  // The result code; ignored for the device.
  int32_t code;
  // Whether every call from this one on fails.
  bool lasts;
  // The number of the call that fails, from 1 on; 0 counts only.
  int64_t call;
};

// Makes the VFS the default one; returns a SQLite result code.
int cauldron_faults_install(void);

// Counts from the next call on, and fails as the fault says.
void cauldron_faults_arm(struct cauldron_fault fault);

// Everything works again; the counts stay.
void cauldron_faults_disarm(void);

// How many calls the armed fault has met.
int64_t cauldron_faults_calls(void);

// How many of them failed.
int64_t cauldron_faults_injected(void);

#endif
