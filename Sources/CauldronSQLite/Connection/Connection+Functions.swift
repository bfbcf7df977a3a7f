internal import CSQLite
import CauldronModel
import CauldronQuery
import Foundation

extension Connection {
  /// Registers the functions that Core Data's triggers for derived attributes call: each tells of a row
  /// that a trigger has touched, by table, entity number, key, attribute and value.
  ///
  /// They are declared harmless because triggers of an untrusted schema may call no others
  /// (https://www.sqlite.org/c3ref/c_deterministic.html#sqliteinnocuous).
  func registerTriggerFunctions() throws {
    try register("NSCoreDataDATriggerUpdatedAffectedObjectValue") { context, count, values in
      note(in: context, count: count, values: values, unless: false)
    }
    try register("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue") { context, count, values in
      // A new row that nothing refers to has what its object shows.
      let isZero =
        count > 4 && sqlite3_value_type(values?[4]) == SQLITE_INTEGER
        && sqlite3_value_int64(values?[4]) == 0
      note(in: context, count: count, values: values, unless: isZero)
    }
    try registerTextForms()
  }

  /// The function that makes a form of a text, for derived attributes.
  static let textForms = "z_text_form"

  /// Registers that function, which temporary triggers may call.
  func registerTextForms() throws {
    let code = sqlite3_create_function_v2(
      handle, Self.textForms, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, values in
        guard let bytes = sqlite3_value_text(values?[0]), let name = sqlite3_value_text(values?[1]),
          let form = Derivation.TextForm(rawValue: String(cString: name))
        else { return sqlite3_result_null(context) }
        let text = String(
          decoding: UnsafeBufferPointer(
            start: bytes, count: Int(sqlite3_value_bytes(values?[0]))), as: UTF8.self)
        setResult(of: context, to: .text(TextFold.form(form, of: text)))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }

  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private func register(_ name: String, as function: Function) throws {
    let code = sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
      Unmanaged.passUnretained(touched).toOpaque(), function, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

private func note(
  in context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?,
  unless isNone: Bool
) {
  sqlite3_result_null(context)
  guard !isNone, count > 2, let values, let data = sqlite3_user_data(context) else { return }
  Unmanaged<TouchedRows>.fromOpaque(data).takeUnretainedValue()
    .note(entity: sqlite3_value_int64(values[1]), key: sqlite3_value_int64(values[2]))
}

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
        setResult(of: context, to: makers[number]())
      }, nil, nil, { $0.map { Unmanaged<DefaultMakers>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

extension Connection {
  /// Has SQL ask whether a text is valid UTF-8: one that is not is shown otherwise than conditions find it.
  func registerTextCheck() throws {
    let code = sqlite3_create_function_v2(
      handle, "cauldron_is_text", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        let bytes = UnsafeBufferPointer(
          start: sqlite3_value_text(values?[0]), count: Int(sqlite3_value_bytes(values?[0])))
        let isText =
          bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
        sqlite3_result_int(context, isText ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

private final class DefaultMakers {
  let makers: [@Sendable () -> AttributeScalar]

  init(_ makers: [@Sendable () -> AttributeScalar]) { self.makers = makers }
}

/// Gives a function's result all of a text's bytes, NUL included, and an empty value where there is one.
func setResult(of context: OpaquePointer?, to scalar: AttributeScalar) {
  switch scalar {
  case .null: sqlite3_result_null(context)
  case .integer(let value): sqlite3_result_int64(context, value)
  case .real(let value): sqlite3_result_double(context, value)
  case .text(var text):
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_result_text64(
          context, characters.baseAddress, UInt64(bytes.count), cauldron_sqlite_transient(),
          UInt8(SQLITE_UTF8))
      }
    }
  case .blob(let data):
    // No bytes have no address, which would be NULL.
    if data.isEmpty { return sqlite3_result_zeroblob(context, 0) }
    data.withUnsafeBytes { bytes in
      sqlite3_result_blob64(
        context, bytes.baseAddress, UInt64(bytes.count), cauldron_sqlite_transient())
    }
  }
}
