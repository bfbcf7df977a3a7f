internal import CSQLite
import CauldronModel
import Foundation

extension Connection {
  /// Has SQL make defaults anew for each row: `cauldron_default(3)`.
  func registerDefaults(_ defaults: [@Sendable () -> AttributeScalar]) throws {
    guard !defaults.isEmpty else { return }
    let box = Unmanaged.passRetained(DefaultMakers(defaults))
    let code = sqlite3_create_function_v2(
      handle, "cauldron_default", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, box.toOpaque(),
      { context, _, arguments in
        guard let data = sqlite3_user_data(context), let argument = arguments?[0] else { return }
        let makers = Unmanaged<DefaultMakers>.fromOpaque(data).takeUnretainedValue().makers
        let number = Int(sqlite3_value_int64(argument))
        guard makers.indices.contains(number) else { return sqlite3_result_null(context) }
        answer(makers[number](), context)
      }, nil, nil, { $0.map { Unmanaged<DefaultMakers>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

private final class DefaultMakers {
  let makers: [@Sendable () -> AttributeScalar]

  init(_ makers: [@Sendable () -> AttributeScalar]) { self.makers = makers }
}

private func answer(_ scalar: AttributeScalar, _ context: OpaquePointer?) {
  switch scalar {
  case .null: sqlite3_result_null(context)
  case .integer(let value): sqlite3_result_int64(context, value)
  case .real(let value): sqlite3_result_double(context, value)
  case .text(let text):
    sqlite3_result_text(context, text, -1, cauldron_sqlite_transient())
  case .blob(let data):
    data.withUnsafeBytes {
      sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), cauldron_sqlite_transient())
    }
  }
}
