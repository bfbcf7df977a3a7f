internal import CSQLite
import CauldronModel

// Decoding is total: whatever a cell holds gives a value, null, or a failure that names it.
extension PackState {
  @inline(__always)
  mutating func pack(
    _ value: OpaquePointer?, _ step: PackStep, _ entity: PackedEntity, _ row: inout OpenRow
  ) -> Bool {
    let type = sqlite3_value_type(value)
    switch (step.kind, type) {
    case (.entityKey, _):
      packEntityKey(value, step, &row)
    case (_, SQLITE_NULL):
      row.setNull(step)
    case (.text, SQLITE_TEXT):
      appendText(value, step, entity, &row)
    case (.integer, SQLITE_INTEGER):
      row.set(step, sqlite3_value_int64(value))
    case (.real, SQLITE_FLOAT), (.real, SQLITE_INTEGER):
      row.set(step, Int64(bitPattern: sqlite3_value_double(value).bitPattern))
    case (.blob, SQLITE_BLOB), (.uuid, SQLITE_BLOB):
      return appendBlob(value, step, entity, &row)
    default:
      return packUnusual(value, type, step, entity, &row)
    }
    return true
  }

  /// Cells that need a conversion, or do not fit.
  @inline(never)
  private mutating func packUnusual(
    _ value: OpaquePointer?, _ type: Int32, _ step: PackStep, _ entity: PackedEntity,
    _ row: inout OpenRow
  ) -> Bool {
    switch (step.kind, type == SQLITE_TEXT ? sqlite3_value_numeric_type(value) : type) {
    case (.text, SQLITE_INTEGER), (.text, SQLITE_FLOAT), (.decimal, SQLITE_INTEGER):
      appendText(value, step, entity, &row)
    case (.decimal, SQLITE_FLOAT):
      guard sqlite3_value_double(value).isFinite else { return refuse(step, type, entity, row) }
      appendDecimal(value, step, entity, &row)
    case (.integer, SQLITE_INTEGER):
      row.set(step, sqlite3_value_int64(value))
    case (.integer, SQLITE_FLOAT):
      guard let integer = Int64(exactly: sqlite3_value_double(value)) else {
        return refuse(step, type, entity, row)
      }
      row.set(step, integer)
    case (.real, SQLITE_FLOAT), (.real, SQLITE_INTEGER):
      row.set(step, Int64(bitPattern: sqlite3_value_double(value).bitPattern))
    default:
      return refuse(step, type, entity, row)
    }
    return true
  }

  @inline(__always)
  private mutating func appendText(
    _ value: OpaquePointer?, _ step: PackStep, _ entity: PackedEntity, _ row: inout OpenRow
  ) {
    // The text comes first: asking for it may convert, which changes the length
    // (https://www.sqlite.org/c3ref/value_blob.html).
    let start = sqlite3_value_text(value)
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
    append(UnsafeRawPointer(start), count, step, entity, &row)
  }

  private mutating func appendBlob(
    _ value: OpaquePointer?, _ step: PackStep, _ entity: PackedEntity, _ row: inout OpenRow
  ) -> Bool {
    let start = sqlite3_value_blob(value)
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
    if step.kind == .uuid, count != 16 {
      return refuse(step, "\(count) bytes", entity, row)
    }
    append(start, count, step, entity, &row)
    return true
  }

  @inline(__always)
  private mutating func append(
    _ start: UnsafeRawPointer?, _ count: Int, _ step: PackStep, _ entity: PackedEntity,
    _ row: inout OpenRow
  ) {
    if limit - row.text < count + 8 { reserve(count, entity, &row) }
    let offset = row.text - UnsafeMutableRawPointer(row.words)
    if let start { row.text.copyMemory(from: start, byteCount: count) }
    row.set(step, Int64(truncatingIfNeeded: offset) << 32 | Int64(count))
    row.text += count
  }

  /// A real number as a decimal with 15 significant digits, the way `%.15g` writes it.
  ///
  /// SQLite writes `%!.15g`, which differs by a `.0` behind whole numbers.
  private mutating func appendDecimal(
    _ value: OpaquePointer?, _ step: PackStep, _ entity: PackedEntity, _ row: inout OpenRow
  ) {
    guard let start = sqlite3_value_text(value) else { return row.setNull(step) }
    let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    let exponent = text.firstIndex { $0 == UInt8(ascii: "e") } ?? text.count
    let isWhole =
      exponent > 2 && text[exponent - 1] == UInt8(ascii: "0")
      && text[exponent - 2] == UInt8(ascii: ".")
    guard isWhole else {
      return append(UnsafeRawPointer(start), text.count, step, entity, &row)
    }
    var digits = Array(text)
    digits.removeSubrange((exponent - 2)..<exponent)
    digits.withUnsafeBytes { append($0.baseAddress, $0.count, step, entity, &row) }
  }

  private func packEntityKey(_ value: OpaquePointer?, _ step: PackStep, _ row: inout OpenRow) {
    let number = sqlite3_value_int64(value)
    let slot = RowPointer.header + Int(step.slot)
    row.words[slot] =
      row.isNull(step.property) ? 0 : number > 0 ? number : Int64(step.fallback)
  }

  private mutating func refuse(
    _ step: PackStep, _ type: Int32, _ entity: PackedEntity, _ row: OpenRow
  ) -> Bool {
    let found =
      switch type {
      case SQLITE_INTEGER: "integer"
      case SQLITE_FLOAT: "real"
      case SQLITE_TEXT: "text"
      default: "bytes"
      }
    return refuse(step, found, entity, row)
  }

  private mutating func refuse(
    _ step: PackStep, _ found: String, _ entity: PackedEntity, _ row: OpenRow
  ) -> Bool {
    let expected =
      switch step.kind {
      case .integer, .entityKey: "integer"
      case .real: "real"
      case .text: "text"
      case .decimal: "decimal"
      case .blob: "bytes"
      case .uuid: "16 bytes"
      }
    _ = fail(
      .badCell(
        key: row.words[0], entityNumber: Int32(truncatingIfNeeded: entity.numberWord >> 32),
        property: Int(step.property), expected: expected, found: found))
    return false
  }
}
