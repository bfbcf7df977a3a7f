// Decides which call fails.

#include <stdatomic.h>

#include "faults.h"

static struct cauldron_fault armed;
static _Atomic bool is_armed;
static _Atomic int64_t calls;
static _Atomic int64_t injected;

// What each method says when the whole device is gone.
static const int general_errors[CAULDRON_FAULT_METHODS] = {
    [CAULDRON_FAULT_READ] = SQLITE_IOERR_READ,
    [CAULDRON_FAULT_WRITE] = SQLITE_IOERR_WRITE,
    [CAULDRON_FAULT_TRUNCATE] = SQLITE_IOERR_TRUNCATE,
    [CAULDRON_FAULT_SYNC] = SQLITE_IOERR_FSYNC,
    [CAULDRON_FAULT_FILE_SIZE] = SQLITE_IOERR_FSTAT,
    [CAULDRON_FAULT_LOCK] = SQLITE_IOERR_LOCK,
    [CAULDRON_FAULT_UNLOCK] = SQLITE_IOERR_UNLOCK,
    [CAULDRON_FAULT_CHECK_RESERVED_LOCK] = SQLITE_IOERR_CHECKRESERVEDLOCK,
    [CAULDRON_FAULT_FILE_CONTROL] = SQLITE_IOERR,
    [CAULDRON_FAULT_SHM_MAP] = SQLITE_IOERR_SHMMAP,
    [CAULDRON_FAULT_SHM_LOCK] = SQLITE_IOERR_SHMLOCK,
    [CAULDRON_FAULT_SHM_UNMAP] = SQLITE_IOERR_SHMMAP,
    [CAULDRON_FAULT_OPEN] = SQLITE_CANTOPEN,
    [CAULDRON_FAULT_DELETE] = SQLITE_IOERR_DELETE,
    [CAULDRON_FAULT_ACCESS] = SQLITE_IOERR_ACCESS,
    [CAULDRON_FAULT_FULL_PATHNAME] = SQLITE_CANTOPEN,
};

int cauldron_faults_next(enum cauldron_fault_method method, int32_t kind) {
  if (!atomic_load(&is_armed)) return SQLITE_OK;
  const bool is_device = armed.method == CAULDRON_FAULT_DEVICE;
  if (!is_device && armed.method != (int32_t)method) return SQLITE_OK;
  if (method < CAULDRON_FAULT_OPEN && !(armed.files & kind)) return SQLITE_OK;
  const int64_t number = atomic_fetch_add(&calls, 1) + 1;
  if (armed.call == 0 || number < armed.call) return SQLITE_OK;
  if (number > armed.call && !armed.lasts) return SQLITE_OK;
  atomic_fetch_add(&injected, 1);
  return is_device ? general_errors[method] : armed.code;
}

void cauldron_faults_arm(struct cauldron_fault fault) {
  atomic_store(&is_armed, false);
  armed = fault;
  atomic_store(&calls, 0);
  atomic_store(&injected, 0);
  atomic_store(&is_armed, true);
}

void cauldron_faults_disarm(void) { atomic_store(&is_armed, false); }

int64_t cauldron_faults_calls(void) { return atomic_load(&calls); }

int64_t cauldron_faults_injected(void) { return atomic_load(&injected); }
