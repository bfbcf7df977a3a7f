internal import CSQLite
import CauldronModel
import Foundation

/// Binds properties of packed rows to the parameters of a statement, without copying.
final class RowBinder {
  private struct Step {
    let kind: PackStep.Kind
    let parameter: Int32
    let slot: Int
    let property: Int
  }

  /// The columns in the order of the parameters, as SQL takes them.
  let columns: [String]
  private let numbers: FileNumbers
  private let steps: UnsafeMutableBufferPointer<Step>
  /// The first parameter that is not taken.
  let next: Int32

  /// Plans the binding of some properties of an entity; of a reference also what belongs to it,
  /// if that is wanted.
  init(
    _ entity: EntityLayout, _ schema: StoreSchema, _ properties: [PropertyLayout],
    from first: Int32, companions: Bool = true
  ) {
    numbers = schema.numbers
    let table = schema.table(of: entity)
    let map = schema.map(of: entity)
    var columns: [String] = []
    var steps: [Step] = []
    func add(_ kind: PackStep.Kind, column: Int, slot: Int, property: Int) {
      steps.append(
        Step(
          kind: kind, parameter: first + Int32(steps.count), slot: slot, property: property))
      columns.append(table.sqlName(column))
    }
    for property in properties {
      guard let column = map.properties[property.index], let form = property.form else { continue }
      add(.init(form), column: column, slot: property.index, property: property.index)
      // The entity number of a join's end is left to the end's own table.
      let slots = entity.isJoin ? [property.orderSlot].compactMap { $0 } : property.companions
      for slot in companions ? slots : [] {
        guard let column = map.companions[slot] else { continue }
        add(
          slot == property.entitySlot ? .entityKey : .companion, column: column, slot: slot,
          property: property.index)
      }
    }
    self.columns = columns
    self.steps = .allocate(capacity: steps.count)
    _ = self.steps.initialize(from: steps)
    next = first + Int32(steps.count)
  }

  deinit { steps.deallocate() }

  /// Binds a row's values. Texts and bytes are lent (`SQLITE_STATIC`), since they lie in the row
  /// (https://www.sqlite.org/c3ref/c_static.html).
  /// - Parameter offset: How many parameters come before those of the row.
  func bind(_ row: RowPointer, to statement: OpaquePointer, after offset: Int32 = 0) throws {
    for step in steps {
      let parameter = step.parameter + offset
      let code =
        row.isNull(step.property)
        ? sqlite3_bind_null(statement, parameter)
        : bind(step, of: row, to: statement, at: parameter)
      guard code == SQLITE_OK else {
        throw SQLiteFailure(code: code, sqlite3_db_handle(statement))
      }
    }
  }

  @inline(__always)
  private func bind(
    _ step: Step, of row: RowPointer, to statement: OpaquePointer, at parameter: Int32
  ) -> Int32 {
    switch step.kind {
    case .integer, .companion:
      return sqlite3_bind_int64(statement, parameter, row.slot(step.slot))
    case .entityKey:
      return sqlite3_bind_int64(statement, parameter, number(row.slot(step.slot)))
    case .boolean:
      return sqlite3_bind_int64(statement, parameter, row.slot(step.slot) == 0 ? 0 : 1)
    case .real:
      // NaN becomes NULL (https://www.sqlite.org/floatingpoint.html#floating_point_types).
      let value = row.real(step.slot)
      return sqlite3_bind_double(statement, parameter, value)
    case .text:
      return bindText(row.bytes(step.slot), to: statement, at: parameter)
    case .decimal:
      return bindDecimal(row.bytes(step.slot), to: statement, at: parameter)
    case .blob, .uuid:
      let bytes = row.bytes(step.slot)
      return sqlite3_bind_blob64(
        statement, parameter, bytes.baseAddress, UInt64(bytes.count), nil)
    }
  }

  /// The file's number of an entity, given that of the model.
  @inline(__always)
  private func number(_ number: Int64) -> Int64 {
    if numbers.areSame { return number }
    return number > 0 && number < numbers.files.count ? Int64(numbers.files[Int(number)]) : 0
  }

  @inline(__always)
  private func bindDecimal(
    _ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at parameter: Int32
  ) -> Int32 {
    guard bytes.count <= DecimalNumber.significantDigits else {
      return bindLongDecimal(bytes, to: statement, at: parameter)
    }
    // A decimal that is not a number has no form in SQL.
    return bytes.first.map { $0 > UInt8(ascii: "9") } ?? true
      ? sqlite3_bind_null(statement, parameter) : bindText(bytes, to: statement, at: parameter)
  }

  /// Rounds as the store compares, so that a later read shows the number in the cell.
  private func bindLongDecimal(
    _ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at parameter: Int32
  ) -> Int32 {
    guard let number = DecimalNumber(bytes: bytes) else {
      return sqlite3_bind_null(statement, parameter)
    }
    return Array(number.description.utf8).withUnsafeBytes { text in
      sqlite3_bind_text64(
        statement, parameter, text.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(text.count), cauldron_sqlite_transient(), UInt8(SQLITE_UTF8))
    }
  }

  @inline(__always)
  private func bindText(
    _ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at parameter: Int32
  ) -> Int32 {
    sqlite3_bind_text64(
      statement, parameter, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
      UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
  }
}
