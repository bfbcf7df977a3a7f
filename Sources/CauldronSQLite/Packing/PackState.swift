internal import CCauldron
internal import CSQLite
import CauldronModel

/// Packs the rows of one query at a time into blocks; the destination of `z_pack`.
///
/// One lives behind a raw pointer for each connection, so that a row costs no reference counting.
struct PackState {
  private(set) var plan = PlannedEntities()
  private var space = PackSpace()
  private var rows = PackedRows()
  private var order = KeyOrder()
  /// What a query for IDs has found.
  private var ids: [ManagedObjectID] = []
  private var storeNumber: Int32 = 0
  private(set) var failure: PackFailure?

  /// Gives the list of row addresses back; the state is not used afterwards.
  mutating func free() { rows.free() }

  /// Begins a query; the plan must outlive it.
  mutating func begin(_ plan: PackPlan) {
    self.plan = PlannedEntities(plan)
    rows.begin()
    order = KeyOrder()
    failure = nil
    space.forget()
  }

  /// The rows in the order in which they were packed, or in another one.
  mutating func finish(_ order: PackOrder? = nil) -> RowSet {
    handOver(rows.list(order))
  }

  /// The rows in the order of their keys, which is mostly that in which they were packed.
  mutating func finishByKey() -> RowSet {
    var list = rows.list()
    if !order.ascends { list.sort { $0.key < $1.key } }
    return handOver(list)
  }

  /// The connection may wait long for its next query, and keeps no memory of this one but the block
  /// that it goes on filling.
  private mutating func handOver(_ list: [RowPointer]) -> RowSet {
    defer { rows.shrink() }
    return list.isEmpty ? RowSet() : RowSet(list, in: space.handOver())
  }

  /// The rows that a statement has gathered in one step; nil for one that gives each of its rows.
  func gatheredCount(_ sql: String) -> Int? {
    if sql.contains("z_pack_all(") { return rows.count }
    return sql.contains("z_ids(") ? ids.count : nil
  }

  /// The only row that was packed.
  mutating func finishOne() -> HeldRow? { rows.only?.held }

  /// Packs one row: `Z_PK`, `Z_OPT`, `Z_ENT` if the plan reads it, then the columns.
  /// - Returns: The row's number in this query; -1 after a failure.
  mutating func pack(_ values: UnsafeMutablePointer<OpaquePointer?>) -> Int64 {
    let key = sqlite3_value_int64(values[0])
    guard key >= 0 else { return fail(.badKey(key: key)) }
    var position = 0
    if plan.readsEntity {
      let number = sqlite3_value_int64(values[2])
      guard sqlite3_value_type(values[2]) == SQLITE_INTEGER, plan.knows(number) else {
        return fail(.unknownEntity(key: key, found: Self.text(values[2])))
      }
      position = plan.position(of: number)
    }
    let entity = plan.entities[position]
    guard let version = Self.version(values[1]) else {
      let found = Self.text(values[1])
      return fail(.badVersion(key: key, entityNumber: entity.number, found: found))
    }
    let fixed = (entity.leadingWords + CAULDRON_ROW_HEADER + entity.slotCount) * 8
    var row = OpenRow(
      space.room(for: fixed, leading: entity.leadingWords * 8, after: rows.count), entity)
    row.words[CAULDRON_ROW_KEY] = key
    row.words[CAULDRON_ROW_NUMBERS] = entity.numberWord | version
    guard pack(values, of: entity, into: &row) else { return -1 }
    let size = row.size
    guard size <= UInt32.max else { return fail(.tooLarge(key: key)) }
    row.words[CAULDRON_ROW_SIZE] = cauldron_row_pair(
      UInt32(size), UInt32(truncatingIfNeeded: row.nulls))
    row.words[CAULDRON_ROW_MAKER] = 0
    space.end(at: UnsafeMutableRawPointer(row.words) + (size + 7) & ~7)
    order.note(key)
    return rows.append(RowPointer(row.words))
  }

  /// The version of a row; 0 where it has none, and nil where it has no good one.
  @inline(__always)
  private static func version(_ value: OpaquePointer?) -> Int64? {
    let number = sqlite3_value_int64(value)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return 0...Int64(RowPointer.greatestVersion) ~= number ? number : nil
    case SQLITE_NULL: return 0
    default: return nil
    }
  }

  /// A cell as messages show it.
  private static func text(_ value: OpaquePointer?) -> String {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: "NULL"
    case SQLITE_INTEGER: "\(sqlite3_value_int64(value))"
    case let type: name(type)
    }
  }

  mutating func fail(_ failure: PackFailure) -> Int64 {
    self.failure = failure
    return -1
  }
}

/// Why a row could not be packed.
enum PackFailure {
  /// A cell of the wrong type.
  case badCell(key: Int64, entityNumber: Int32, property: Int, expected: String, found: String)
  /// A row whose `Z_ENT` is no entity of the table.
  case unknownEntity(key: Int64, found: String)
  /// A row whose `Z_OPT` is no version that can be counted on from.
  case badVersion(key: Int64, entityNumber: Int32, found: String)
  /// A row whose `Z_PK` is negative; such keys are those of objects that have none yet.
  case badKey(key: Int64)
  /// A row of more than 4 GiB.
  case tooLarge(key: Int64)
}

extension PackState {
  /// Packs the cells of a row; false after a failure.
  @inline(__always)
  mutating func pack(
    _ values: UnsafeMutablePointer<OpaquePointer?>, of entity: PackedEntity, into row: inout OpenRow
  ) -> Bool {
    var next = 0
    while true {
      next = cauldron_pack(
        &row, entity.steps.baseAddress, next, entity.steps.count, values, space.end)
      guard next < entity.steps.count else { return true }
      let step = entity.steps[next]
      guard packWithCare(values[Int(step.argument)], by: step, of: entity, into: &row) else {
        return false
      }
      next += 1
    }
  }

  /// Packs a cell that needs a conversion or a check, or for which there is no room.
  @inline(never)
  private mutating func packWithCare(
    _ value: OpaquePointer?, by step: PackStep, of entity: PackedEntity, into row: inout OpenRow
  ) -> Bool {
    let type = sqlite3_value_type(value)
    // An integer of the expected type is here because it is out of range.
    guard type == Int32(step.expected), type != SQLITE_INTEGER else {
      return convert(value, by: step, of: entity, into: &row)
    }
    let start =
      type == SQLITE_TEXT
      ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    append(UnsafeRawBufferPointer(start: start, count: count), by: step, of: entity, to: &row)
    return true
  }

  /// Appends the bytes of a text or blob to a row.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, by step: PackStep, of entity: PackedEntity,
    to row: inout OpenRow
  ) {
    let count = bytes.count
    if space.end - UnsafeMutableRawPointer(row.text) < count + 8 {
      space.move(&row, leading: entity.leadingWords * 8, roomFor: count, after: rows.count)
    }
    let offset = row.size
    if let start = bytes.baseAddress {
      UnsafeMutableRawPointer(row.text).copyMemory(from: start, byteCount: count)
    }
    let length = UInt32(truncatingIfNeeded: count)
    row.set(step, to: cauldron_row_pair(UInt32(truncatingIfNeeded: offset), length))
    row.text += count
  }
}

extension PackState {
  /// Begins a query for IDs.
  mutating func beginIDs(_ plan: PackPlan, storeNumber: Int32) {
    begin(plan)
    ids = []
    self.storeNumber = storeNumber
  }

  /// Adds the ID of a row to the result, for the time being with the entity's number in the file.
  @inline(__always)
  mutating func note(_ key: Int64, entityNumber: Int64) {
    order.note(key)
    ids.append(
      ManagedObjectID(
        key: key, entityNumber: Int32(clamping: entityNumber), storeNumber: storeNumber))
  }

  /// The IDs as they were noted, or in the order of their keys.
  ///
  /// An entity number that the plan does not know is a failure, as it is for a row.
  mutating func finishIDs(byKey: Bool) -> [ManagedObjectID]? {
    var result = ids
    ids = []
    if plan.readsEntity, let bad = result.first(where: { !plan.knows(Int64($0.entityNumber)) }) {
      _ = fail(.unknownEntity(key: bad.key, found: "\(bad.entityNumber)"))
      return nil
    }
    if plan.translatesIDs {
      result = result.map { id in
        ManagedObjectID(
          key: id.key, entityNumber: Int32(plan.modelNumber(Int64(id.entityNumber))),
          storeNumber: id.storeNumber)
      }
    }
    if byKey, !order.ascends { result.sort { $0.key < $1.key } }
    return result
  }
}
