internal import CSQLite
import CauldronModel
import Foundation

/// The values that Core Data may keep in files beside the store.
///
/// The first byte of a cell tells where its value is: 1, and the value follows; 2, and the name of a file follows,
/// which a NUL ends.
struct ExternalData {
  private static let function = "cauldron_external"
  /// Where the files are.
  private let folder: String

  /// - Parameter path: The store's file.
  init(besideStoreAt path: String) {
    let url = URL(fileURLWithPath: path)
    let name = url.deletingPathExtension().lastPathComponent
    folder = url.deletingLastPathComponent().path + "/.\(name)_SUPPORT/_EXTERNAL_DATA"
  }

  /// The value of a cell, as SQL reads it.
  static func reading(_ column: String) -> String {
    "\(function)(\(column), \(SQLIdentifier.literal(column)))"
  }

  /// Has SQL read such values on a connection.
  func register(on connection: Connection) throws {
    let box = Unmanaged.passRetained(Box(self))
    let code = sqlite3_create_function_v2(
      connection.handle, Self.function, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, box.toOpaque(),
      { context, _, values in
        guard let values, let cell = values[0], let data = sqlite3_user_data(context) else {
          return
        }
        let external = Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().external
        external.answer(cell, of: values[1], in: context)
      }, nil, nil, { $0.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, connection.handle) }
  }

  private func answer(
    _ cell: OpaquePointer, of column: OpaquePointer?, in context: OpaquePointer?
  ) {
    guard sqlite3_value_type(cell) == SQLITE_BLOB, let start = sqlite3_value_blob(cell) else {
      return sqlite3_result_value(context, cell)
    }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(cell)))
    switch bytes.first {
    case 1: setResult(of: context, to: .blob(Data(bytes.dropFirst())))
    case 2:
      let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
      if let data = contents(of: name) { return setResult(of: context, to: .blob(data)) }
      let place = column.flatMap { sqlite3_value_text($0) }.map { String(cString: $0) } ?? ""
      let message =
        "the value of \(place) is in the file \"\(folder)/\(name)\", which cannot be read"
      sqlite3_result_error(context, message, -1)
    default: sqlite3_result_value(context, cell)
    }
  }

  /// Nil for a file that is not there, or lies elsewhere.
  private func contents(of name: String) -> Data? {
    guard !name.isEmpty, !name.contains("/"), name != ".." else { return nil }
    return try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  private final class Box {
    let external: ExternalData

    init(_ external: ExternalData) { self.external = external }
  }
}
