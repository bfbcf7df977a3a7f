internal import CCauldron
internal import CSQLite
import CauldronModel

// Decoding is total: whatever a cell holds gives a value, null, or a failure that names it.
extension PackState {
  /// Packs a cell that needs a conversion or a check; false if it cannot be packed.
  mutating func convert(
    _ value: OpaquePointer?, by step: PackStep, of entity: PackedEntity, into row: inout OpenRow
  ) -> Bool {
    let type = sqlite3_value_type(value)
    // Text that reads as a number counts as one where a number is expected.
    let isNumber = step.kind != .text && type == SQLITE_TEXT
    switch (step.kind, isNumber ? sqlite3_value_numeric_type(value) : type) {
    case (.companion, _), (.entityKey, _):
      packCompanion(value, by: step, of: row)
    case (.text, SQLITE_INTEGER), (.text, SQLITE_FLOAT), (.decimal, SQLITE_INTEGER):
      appendText(value, by: step, of: entity, to: &row)
    case (.decimal, SQLITE_FLOAT) where sqlite3_value_double(value).isFinite:
      return appendDecimal(value, by: step, of: entity, to: &row)
    case (.integer, SQLITE_INTEGER), (.boolean, SQLITE_INTEGER):
      return set(sqlite3_value_int64(value), by: step, of: entity, in: &row)
    case (.integer, SQLITE_FLOAT), (.boolean, SQLITE_FLOAT):
      guard let integer = Int64(exactly: sqlite3_value_double(value)) else {
        return refuse(step, found: Self.name(type), of: entity, in: row)
      }
      return set(integer, by: step, of: entity, in: &row)
    case (.real, SQLITE_FLOAT), (.real, SQLITE_INTEGER):
      let real = sqlite3_value_double(value)
      // An integer that no Double is would be read as another number, which is not found by it.
      guard type != SQLITE_INTEGER || Int64(exactly: real) == sqlite3_value_int64(value) else {
        return refuse(step, found: "an integer that no Double is", of: entity, in: row)
      }
      row.set(step, to: Int64(bitPattern: real.bitPattern))
    case (.uuid, SQLITE_BLOB):
      return appendUUID(value, by: step, of: entity, to: &row)
    default:
      return refuse(step, found: Self.name(type), of: entity, in: row)
    }
    return true
  }

  private mutating func set(
    _ integer: Int64, by step: PackStep, of entity: PackedEntity, in row: inout OpenRow
  ) -> Bool {
    if step.kind == .boolean {
      row.set(step, to: integer == 0 ? 0 : 1)
      return true
    }
    guard step.takes(integer) else {
      return refuse(step, found: "a number beyond those", of: entity, in: row)
    }
    row.set(step, to: integer)
    return true
  }

  private mutating func appendText(
    _ value: OpaquePointer?, by step: PackStep, of entity: PackedEntity, to row: inout OpenRow
  ) {
    let start = sqlite3_value_text(value)
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
    append(UnsafeRawBufferPointer(start: start, count: count), by: step, of: entity, to: &row)
  }

  private mutating func appendUUID(
    _ value: OpaquePointer?, by step: PackStep, of entity: PackedEntity, to row: inout OpenRow
  ) -> Bool {
    let start = sqlite3_value_blob(value)
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
    guard count == 16 else { return refuse(step, found: "\(count) bytes", of: entity, in: row) }
    append(UnsafeRawBufferPointer(start: start, count: count), by: step, of: entity, to: &row)
    return true
  }

  /// A real number as a decimal with 15 significant digits, the way `%.15g` writes it.
  ///
  /// SQLite writes `%!.15g`, which differs by a `.0` behind whole numbers.
  private mutating func appendDecimal(
    _ value: OpaquePointer?, by step: PackStep, of entity: PackedEntity, to row: inout OpenRow
  ) -> Bool {
    let number = abs(sqlite3_value_double(value))
    guard let start = sqlite3_value_text(value) else {
      return refuse(step, found: "real", of: entity, in: row)
    }
    let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    // All between these is a Decimal, which is quicker to see.
    let isUsual = number == 0 || (1e-100...1e140).contains(number)
    guard isUsual || DecimalNumber(bytes: text) != nil else {
      return refuse(step, found: "a number beyond those", of: entity, in: row)
    }
    let exponent = text.firstIndex { $0 == UInt8(ascii: "e") } ?? text.count
    let isWhole =
      exponent > 2 && text[exponent - 1] == UInt8(ascii: "0")
      && text[exponent - 2] == UInt8(ascii: ".")
    guard isWhole else {
      append(UnsafeRawBufferPointer(text), by: step, of: entity, to: &row)
      return true
    }
    var digits = Array(text)
    digits.removeSubrange((exponent - 2)..<exponent)
    digits.withUnsafeBytes {
      append($0, by: step, of: entity, to: &row)
    }
    return true
  }

  private func packCompanion(_ value: OpaquePointer?, by step: PackStep, of row: OpenRow) {
    var number = sqlite3_value_int64(value)
    if step.kind == .entityKey { number = plan.modelNumber(number) }
    row.words[CAULDRON_ROW_HEADER + Int(step.slot)] =
      row.isNull(step.property) ? 0 : step.takes(number) ? number : Int64(step.fallback)
  }

  static func name(_ type: Int32) -> String {
    switch type {
    case SQLITE_INTEGER: "integer"
    case SQLITE_FLOAT: "real"
    case SQLITE_TEXT: "text"
    default: "bytes"
    }
  }

  private mutating func refuse(
    _ step: PackStep, found: String, of entity: PackedEntity, in row: OpenRow
  ) -> Bool {
    let expected =
      switch step.kind {
      case .integer where step.width < UInt64(UInt32.max): "16-bit integer"
      case .integer where step.width == UInt64(UInt32.max): "32-bit integer"
      case .integer, .companion, .entityKey: "integer"
      case .boolean: "0 or 1"
      case .real: "real"
      case .text: "text"
      case .decimal: "decimal"
      case .blob: "bytes"
      case .uuid: "16 bytes"
      }
    _ = fail(
      .badCell(
        key: row.words[CAULDRON_ROW_KEY], entityNumber: entity.number, property: Int(step.property),
        expected: expected, found: found))
    return false
  }
}

/// The row that is being packed, as C and Swift share it.
typealias OpenRow = cauldron_row

extension cauldron_row {
  @inline(__always)
  init(_ start: UnsafeMutableRawPointer, _ entity: PackedEntity) {
    let words = (start + entity.leadingWords * 8).assumingMemoryBound(to: Int64.self)
    let slots = words + CAULDRON_ROW_HEADER
    cauldron_row_clear_leading(words, entity.leadingWords)
    if entity.hasGaps { slots.update(repeating: 0, count: entity.slotCount) }
    let text = UnsafeMutableRawPointer(slots + entity.slotCount)
    self.init(
      words: words, text: text.assumingMemoryBound(to: CChar.self),
      nulls: Int64(UInt32.max))
  }

  /// Fills the slot of a property that has a value.
  mutating func set(_ step: PackStep, to slot: Int64) {
    withUnsafePointer(to: step) { cauldron_set_slot(&self, $0, slot) }
  }

  func isNull(_ property: Int32) -> Bool {
    let index = Int(property)
    let word = index < CAULDRON_ROW_NEAR_NULLS ? nulls : words[cauldron_row_null_word(index)]
    return word & cauldron_row_null_bit(index) != 0
  }

  /// The bytes from word 0 to the end of the texts.
  var size: Int { UnsafeMutableRawPointer(text) - UnsafeMutableRawPointer(words) }
}
