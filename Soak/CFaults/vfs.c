// The methods of the VFS itself.

#include "faults.h"

#define REAL(vfs) ((sqlite3_vfs *)(vfs)->pAppData)

static int32_t kind_of(int flags) {
  if (flags & SQLITE_OPEN_MAIN_DB) return CAULDRON_FAULT_DATABASE;
  return flags & SQLITE_OPEN_WAL ? CAULDRON_FAULT_LOG : CAULDRON_FAULT_OTHER;
}

static int fault_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
  struct fault_file *opened = (struct fault_file *)file;
  opened->base.pMethods = 0;
  opened->kind = kind_of(flags);
  opened->real = (sqlite3_file *)(opened + 1);
  opened->real->pMethods = 0;
  int code = cauldron_faults_next(CAULDRON_FAULT_OPEN, opened->kind);
  if (code) return code;
  code = REAL(vfs)->xOpen(REAL(vfs), name, opened->real, flags, given);
  if (opened->real->pMethods) opened->base.pMethods = &cauldron_fault_io_methods;
  return code;
}

// The entry of the directory may be gone although the directory could not be synchronised.
static int fault_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  const int code = cauldron_faults_next(CAULDRON_FAULT_DELETE, CAULDRON_FAULT_OTHER);
  if (code && code != SQLITE_IOERR_DIR_FSYNC) return code;
  const int result = REAL(vfs)->xDelete(REAL(vfs), name, syncs);
  return code && result == SQLITE_OK ? code : result;
}

static int fault_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  const int code = cauldron_faults_next(CAULDRON_FAULT_ACCESS, CAULDRON_FAULT_OTHER);
  return code ? code : REAL(vfs)->xAccess(REAL(vfs), name, flags, result);
}

static int fault_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  const int code = cauldron_faults_next(CAULDRON_FAULT_FULL_PATHNAME, CAULDRON_FAULT_OTHER);
  return code ? code : REAL(vfs)->xFullPathname(REAL(vfs), name, size, path);
}

// Nobody else holds a lock here for long, so that waiting for one that never comes free is soon
// over; SQLite counts what it asked for.
static int fault_sleep(sqlite3_vfs *vfs, int microseconds) {
  REAL(vfs)->xSleep(REAL(vfs), microseconds < 100 ? microseconds : 100);
  return microseconds;
}

static int fault_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return REAL(vfs)->xRandomness(REAL(vfs), count, bytes);
}

static int fault_current_time(sqlite3_vfs *vfs, double *time) {
  return REAL(vfs)->xCurrentTime(REAL(vfs), time);
}

static int fault_current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return REAL(vfs)->xCurrentTimeInt64(REAL(vfs), time);
}

static int fault_last_error(sqlite3_vfs *vfs, int size, char *text) {
  return REAL(vfs)->xGetLastError(REAL(vfs), size, text);
}

int cauldron_faults_install(void) {
  static sqlite3_vfs vfs;
  sqlite3_vfs *real = sqlite3_vfs_find(0);
  if (!real) return SQLITE_ERROR;
  if (vfs.pAppData) return SQLITE_OK;
  vfs.iVersion = 2;
  vfs.szOsFile = (int)sizeof(struct fault_file) + real->szOsFile;
  vfs.mxPathname = real->mxPathname;
  vfs.zName = "cauldron-faults";
  vfs.pAppData = real;
  vfs.xOpen = fault_open;
  vfs.xDelete = fault_delete;
  vfs.xAccess = fault_access;
  vfs.xFullPathname = fault_full_pathname;
  vfs.xRandomness = fault_randomness;
  vfs.xSleep = fault_sleep;
  vfs.xCurrentTime = fault_current_time;
  vfs.xGetLastError = fault_last_error;
  vfs.xCurrentTimeInt64 = fault_current_time_int64;
  return sqlite3_vfs_register(&vfs, 1);
}
