import CauldronModel
package import Foundation

/// The folder in which a program keeps its stores, as the XDG Base Directory Specification has it.
package struct DataFolder {
  private let environment: [String: String]
  private let home: URL

  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) {
    self.environment = environment
    self.home = home
  }

  /// `$XDG_DATA_HOME`, or `~/.local/share`; a relative path counts as none.
  private var base: URL {
    if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    return home.appending(path: ".local/share", directoryHint: .isDirectory)
  }

  /// Where a store lies.
  /// - Parameters:
  ///   - name: The store's name; without an ending it gets `.sqlite`.
  ///   - program: The name of the program's folder.
  /// - Throws: `store.cannotOpen` where one of the names is no file's name.
  package func storeURL(named name: String, program: String) throws -> URL {
    try check(name, as: "store")
    try check(program, as: "program")
    let file = name.contains(".") ? name : name + ".sqlite"
    return base.appending(path: program, directoryHint: .isDirectory)
      .appending(path: file, directoryHint: .notDirectory)
  }

  private func check(_ name: String, as what: String) throws {
    let isName = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0)
    guard isName, !name.contains("/") else {
      throw CauldronError(
        .storeCannotOpen, "Cannot open a store by name: \"\(name)\" is no name of a \(what).",
        hint: "A name is no path; stores elsewhere are opened with setupStack(storeURL:).")
    }
  }

  /// Makes the folder of a store, for its user alone, as the specification says.
  ///
  /// What hinders it is told by the opening of the store, with the whole path.
  func makeFolder(for store: URL) {
    try? FileManager.default.createDirectory(
      at: store.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }
}
