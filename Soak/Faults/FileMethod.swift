import CFaults
import CSQLite

/// The methods of the VFS, with what each may return.
enum FileMethod: String, CaseIterable {
  case read = "xRead"
  case write = "xWrite"
  case truncate = "xTruncate"
  case sync = "xSync"
  case fileSize = "xFileSize"
  case lock = "xLock"
  case unlock = "xUnlock"
  case checkReservedLock = "xCheckReservedLock"
  case fileControl = "xFileControl"
  case shmMap = "xShmMap"
  case shmLock = "xShmLock"
  case shmUnmap = "xShmUnmap"
  case open = "xOpen"
  case delete = "xDelete"
  case access = "xAccess"
  case fullPathname = "xFullPathname"
  /// All of them at once.
  case device

  /// The number that the VFS knows it by.
  var number: Int32 { Int32(Self.allCases.firstIndex(of: self) ?? 0) }

  /// What it may return beside success, by https://www.sqlite.org/rescode.html and the sources of
  /// the default VFS. A lock alone may be busy: elsewhere SQLite takes that for something else, and
  /// damages the file.
  var codes: [FileCode] {
    switch self {
    case .read: [.read, .shortRead, .memory, .damaged]
    case .write: [.write, .full]
    case .truncate: [.truncate]
    case .sync: [.fsync, .dirFsync]
    case .fileSize: [.fstat]
    case .lock: [.lock, .busy]
    case .unlock: [.unlock]
    case .checkReservedLock: [.checkReservedLock]
    case .fileControl: [.io, .full]
    case .shmMap: [.shmMap, .shmOpen, .shmSize, .noMemory]
    case .shmLock: [.shmLock, .busy]
    case .shmUnmap: [.shmMap]
    case .open: [.cannotOpen, .io, .noMemory]
    case .delete: [.delete, .dirFsync]
    case .access: [.access]
    case .fullPathname: [.cannotOpen, .noMemory]
    case .device: [.io]
    }
  }
}

/// The result codes that are injected.
enum FileCode: String, CaseIterable {
  case io = "IOERR"
  case read = "IOERR_READ"
  case shortRead = "IOERR_SHORT_READ"
  case write = "IOERR_WRITE"
  case fsync = "IOERR_FSYNC"
  case dirFsync = "IOERR_DIR_FSYNC"
  case truncate = "IOERR_TRUNCATE"
  case fstat = "IOERR_FSTAT"
  case unlock = "IOERR_UNLOCK"
  case delete = "IOERR_DELETE"
  case memory = "IOERR_NOMEM"
  case access = "IOERR_ACCESS"
  case checkReservedLock = "IOERR_CHECKRESERVEDLOCK"
  case lock = "IOERR_LOCK"
  case shmOpen = "IOERR_SHMOPEN"
  case shmSize = "IOERR_SHMSIZE"
  case shmLock = "IOERR_SHMLOCK"
  case shmMap = "IOERR_SHMMAP"
  case damaged = "IOERR_CORRUPTFS"
  case busy = "BUSY"
  case full = "FULL"
  case cannotOpen = "CANTOPEN"
  case noMemory = "NOMEM"

  var number: Int32 {
    switch self {
    case .io: SQLITE_IOERR
    case .read: SQLITE_IOERR | 1 << 8
    case .shortRead: SQLITE_IOERR | 2 << 8
    case .write: SQLITE_IOERR | 3 << 8
    case .fsync: SQLITE_IOERR | 4 << 8
    case .dirFsync: SQLITE_IOERR | 5 << 8
    case .truncate: SQLITE_IOERR | 6 << 8
    case .fstat: SQLITE_IOERR | 7 << 8
    case .unlock: SQLITE_IOERR | 8 << 8
    case .delete: SQLITE_IOERR | 10 << 8
    case .memory: SQLITE_IOERR | 12 << 8
    case .access: SQLITE_IOERR | 13 << 8
    case .checkReservedLock: SQLITE_IOERR | 14 << 8
    case .lock: SQLITE_IOERR | 15 << 8
    case .shmOpen: SQLITE_IOERR | 18 << 8
    case .shmSize: SQLITE_IOERR | 19 << 8
    case .shmLock: SQLITE_IOERR | 20 << 8
    case .shmMap: SQLITE_IOERR | 21 << 8
    case .damaged: SQLITE_IOERR | 33 << 8
    case .busy: SQLITE_BUSY
    case .full: SQLITE_FULL
    case .cannotOpen: SQLITE_CANTOPEN
    case .noMemory: SQLITE_NOMEM
    }
  }
}
