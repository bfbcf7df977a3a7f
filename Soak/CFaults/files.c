// The methods of an open file.

#include <string.h>

#include "faults.h"

#define FILE_OF(file) ((struct fault_file *)(file))
#define REAL(file) (FILE_OF(file)->real)
#define NEXT(method, file) cauldron_faults_next(CAULDRON_FAULT_##method, FILE_OF(file)->kind)

static int fault_close(sqlite3_file *file) { return REAL(file)->pMethods->xClose(REAL(file)); }

static int fault_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  const int code = NEXT(READ, file);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
  const int result = REAL(file)->pMethods->xRead(REAL(file), buffer, count, offset);
  if (code == SQLITE_OK || result != SQLITE_OK) return result;
  // What is missing must read as zeros.
  memset((char *)buffer + count / 2, 0, count - count / 2);
  return code;
}

static int fault_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
  const int code = NEXT(WRITE, file);
  if (code == SQLITE_OK) return REAL(file)->pMethods->xWrite(REAL(file), buffer, count, offset);
  // A disk that fills up takes the first part.
  if (code == SQLITE_FULL) {
    REAL(file)->pMethods->xWrite(REAL(file), buffer, count / 2, offset);
  }
  return code;
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
  const int code = NEXT(TRUNCATE, file);
  return code ? code : REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int fault_sync(sqlite3_file *file, int flags) {
  const int code = NEXT(SYNC, file);
  return code ? code : REAL(file)->pMethods->xSync(REAL(file), flags);
}

static int fault_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  const int code = NEXT(FILE_SIZE, file);
  return code ? code : REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
  const int code = NEXT(LOCK, file);
  return code ? code : REAL(file)->pMethods->xLock(REAL(file), level);
}

// Whoever gives up a lock has given it up, even if that is reported as an error: a lock that stayed
// would be one that no process holds.
static int fault_unlock(sqlite3_file *file, int level) {
  const int code = NEXT(UNLOCK, file);
  const int result = REAL(file)->pMethods->xUnlock(REAL(file), level);
  return code ? code : result;
}

static int fault_check_reserved_lock(sqlite3_file *file, int *result) {
  const int code = NEXT(CHECK_RESERVED_LOCK, file);
  return code ? code : REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

// Only two questions can fail for the disk's reasons; the others only ask or tell.
static int fault_file_control(sqlite3_file *file, int operation, void *argument) {
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_SYNC) {
    const int code = NEXT(FILE_CONTROL, file);
    if (code) return code;
  }
  return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int fault_sector_size(sqlite3_file *file) {
  return REAL(file)->pMethods->xSectorSize(REAL(file));
}

static int fault_device_characteristics(sqlite3_file *file) {
  return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}

static int fault_shm_map(
    sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  const int code = NEXT(SHM_MAP, file);
  if (code) {
    *memory = 0;
    return code;
  }
  return REAL(file)->pMethods->xShmMap(REAL(file), region, size, extend, memory);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  const bool unlocks = flags & SQLITE_SHM_UNLOCK;
  const int code = NEXT(SHM_LOCK, file);
  if (code && !unlocks) return code;
  const int result = REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
  // Only who asks for a lock can be told that it is taken.
  return code && code != SQLITE_BUSY ? code : result;
}

static void fault_shm_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int fault_shm_unmap(sqlite3_file *file, int deletes) {
  const int code = NEXT(SHM_UNMAP, file);
  const int result = REAL(file)->pMethods->xShmUnmap(REAL(file), deletes);
  return code ? code : result;
}

// Without memory mapping, which the library switches off.
const sqlite3_io_methods cauldron_fault_io_methods = {
    .iVersion = 2,
    .xClose = fault_close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = fault_file_size,
    .xLock = fault_lock,
    .xUnlock = fault_unlock,
    .xCheckReservedLock = fault_check_reserved_lock,
    .xFileControl = fault_file_control,
    .xSectorSize = fault_sector_size,
    .xDeviceCharacteristics = fault_device_characteristics,
    .xShmMap = fault_shm_map,
    .xShmLock = fault_shm_lock,
    .xShmBarrier = fault_shm_barrier,
    .xShmUnmap = fault_shm_unmap,
};
