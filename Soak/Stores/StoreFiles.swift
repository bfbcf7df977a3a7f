import Foundation

/// A store's file, and what SQLite keeps beside it.
struct StoreFiles {
  let url: URL

  static let endings = ["", "-wal", "-shm", "-journal"]

  init(_ url: URL) { self.url = url }

  func path(_ ending: String = "") -> String { url.path + ending }

  func has(_ ending: String) -> Bool { access(path(ending), F_OK) == 0 }

  /// Whether a directory stands where SQLite keeps its log: it would wait ten seconds for that to go.
  var hasDirectoryAsLog: Bool {
    ["-wal", "-shm"].contains { ending in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: path(ending), isDirectory: &isDirectory)
        && isDirectory.boolValue
    }
  }

  func bytes(_ ending: String = "") -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path(ending)) else { return [] }
    return [UInt8](data)
  }

  func write(_ bytes: [UInt8], _ ending: String = "") {
    _ = FileManager.default.createFile(atPath: path(ending), contents: Data(bytes))
  }

  /// Copies the file and what lies beside it, as if it were old.
  func copy(to other: StoreFiles, endings: [String] = StoreFiles.endings) throws {
    other.remove()
    for ending in endings where has(ending) {
      try FileManager.default.copyItem(atPath: path(ending), toPath: other.path(ending))
      other.age(ending)
    }
  }

  /// Lets a file have been written an hour ago: what was written just now is waited for.
  func age(_ ending: String) {
    let then = timespec(tv_sec: time(nil) - 3_600, tv_nsec: 0)
    _ = [then, then].withUnsafeBufferPointer {
      utimensat(AT_FDCWD, path(ending), $0.baseAddress, 0)
    }
  }

  /// Removes the file and all whose names begin as its name does.
  func remove() {
    let folder = url.deletingLastPathComponent()
    let stem = url.deletingPathExtension().lastPathComponent + "."
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(stem) {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  /// What is there, to be compared with what is there later.
  var state: State {
    var contents: [String: [UInt8]] = [:]
    for ending in Self.endings where has(ending) { contents[ending] = bytes(ending) }
    return State(contents: contents)
  }

  struct State: Equatable {
    let contents: [String: [UInt8]]

    /// What a reader must not do: change a file, or leave one beside a store that had none. The index
    /// of a log is the readers' own where there is a log or a journal.
    /// - Parameter mayOpen: Whether an empty log may appear beside the file, as SQLite makes it for readers
    ///   that see what comes later.
    func change(to other: State, mayOpen: Bool = false) -> String? {
      let isOpened = mayOpen || contents.keys.contains { !$0.isEmpty }
      for ending in StoreFiles.endings where ending != "-shm" || !isOpened {
        let (old, new) = (contents[ending], other.contents[ending])
        if old == new || (ending == "-wal" && isOpened && old == nil && new == []) { continue }
        let verb = old == nil ? "appeared" : new == nil ? "went" : "changed"
        return "\(ending.isEmpty ? "the file" : ending) \(verb)"
      }
      return nil
    }
  }
}
