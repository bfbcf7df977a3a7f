import Cauldron
import CauldronGraph
import Foundation

/// A store as it was when a workload begins, copied for each run.
struct StoreTemplate {
  /// The store with its log, if it has one; nil where there is no file.
  let url: URL?
  let book: Book

  /// What lies beside a store and belongs to it.
  static let companions = ["", "-wal", "-journal"]
  /// Where migrations copy a store to, and what they call that before it is known to be needed.
  private static let copies = ["", ".part", ".former"].map { ".backup.sqlite\($0)" }

  func copy(to url: URL) throws {
    for end in Self.companions + ["-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + end)
    }
    for end in Self.copies {
      try? FileManager.default.removeItem(atPath: url.deletingPathExtension().path + end)
    }
    guard let from = self.url else { return }
    try Self.copy(from, to: url)
  }

  /// Copies what a killed process would leave; memory that it shared is made anew.
  static func copy(_ from: URL, to url: URL) throws {
    for end in companions where FileManager.default.fileExists(atPath: from.path + end) {
      try FileManager.default.copyItem(atPath: from.path + end, toPath: url.path + end)
    }
  }
}

/// The templates of all workloads, made once.
struct StoreTemplates {
  private let none: StoreTemplate
  private let closed: StoreTemplate
  private let killed: StoreTemplate
  private let longLog: StoreTemplate
  private let former: StoreTemplate

  init(_ folder: URL) throws {
    none = StoreTemplate(url: nil, book: Book())
    var book = Book()
    let work = folder.appending(path: "work.sqlite")
    let rig = try Rig.open(work, nil)
    func save(_ size: Int) throws {
      let number = book.begin(size)
      try rig.root.performAndWait { try Edit.make(number, size: size, retires: nil, in: $0) }
      try rig.root.saveAndWait(toPersistentStore: true)
      book.answer([number], .saved)
    }
    func snapshot(_ name: String) throws -> StoreTemplate {
      let url = folder.appending(path: "\(name).sqlite")
      try StoreTemplate.copy(work, to: url)
      return StoreTemplate(url: url, book: book)
    }
    for size in [6, 4, 4, 5] { try save(size) }
    killed = try snapshot("killed")
    // Until the next commit or two bring the log into the file.
    while try Self.frames(work) < 988 {
      try rig.root.performAndWait { context in
        for note in try Note.findAll(where: \.batch == 3, in: context) { note.position += 1 }
      }
      try rig.root.saveAndWait(toPersistentStore: true)
    }
    longLog = try snapshot("long log")
    try rig.close()
    closed = try snapshot("closed")
    try Rig.bring(work, to: FaultModel.former(), discarding: ["Note.position: Int"])
    former = try snapshot("former")
  }

  /// How many frames the log has, from the header of its index
  /// (https://www.sqlite.org/walformat.html#walidxfmt).
  private static func frames(_ url: URL) throws -> Int {
    let index = try Data(contentsOf: URL(filePath: url.path + "-shm"))
    return index.withUnsafeBytes { Int($0.load(fromByteOffset: 16, as: UInt32.self)) }
  }

  subscript(workload: Workload) -> StoreTemplate {
    switch workload {
    case .create: none
    case .recover: killed
    case .checkpoint: longLog
    case .migrate: former
    default: closed
    }
  }
}
