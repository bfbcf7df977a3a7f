internal import CCauldron
internal import CSQLite
import CauldronModel

/// Packs the rows of one query at a time into blocks; the destination of `z_pack`.
///
/// One lives behind a raw pointer for each connection, so that a row costs no reference counting.
struct PackState {
  private var entities = UnsafeMutableBufferPointer<PackedEntity>(start: nil, count: 0)
  private var firstNumber: Int64 = 0
  private(set) var readsEntity = false
  /// The model's numbers of entities by those of the file; empty where they are the same.
  private var models = UnsafeMutableBufferPointer<Int32>(start: nil, count: 0)
  /// Whether the numbers beside keys have to be translated.
  private(set) var translatesIDs = false
  /// The first free byte of `block`, and the end of it.
  private var cursor: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer
  private var block: RowBlock
  /// The blocks before `block`.
  private var finished = RowMemory()
  private var rows: UnsafeMutablePointer<RowPointer>
  private var capacity = 64
  private(set) var count = 0
  /// The key of the last row, and whether no key was less than the one before.
  private var lastKey = Int64.min
  var ascends = true
  /// What a query for IDs has found.
  var ids: [ManagedObjectID] = []
  var storeNumber: Int32 = 0
  private(set) var failure: PackFailure?

  init() {
    block = RowBlock()
    cursor = block.base + block.used
    end = block.base + block.capacity
    rows = .allocate(capacity: capacity)
  }

  /// Gives the list of row addresses back; the state is not used afterwards.
  mutating func free() { rows.deallocate() }

  /// Begins a query; the plan must outlive it.
  mutating func begin(_ plan: PackPlan) {
    entities = plan.entities
    firstNumber = plan.firstNumber
    readsEntity = plan.readsEntity
    models = plan.numbers.models
    translatesIDs = plan.namesEntities && !plan.numbers.areSame
    count = 0
    lastKey = .min
    ascends = true
    failure = nil
    finished = RowMemory()
  }

  /// The rows in the order in which they were packed, or in another one.
  mutating func finish(_ order: PackOrder? = nil) -> RowSet {
    let known = min(order?.ascending ?? count, count)
    var list = Array(UnsafeBufferPointer(start: rows, count: known))
    if let order { for number in order.rest where number < count { list.append(rows[number]) } }
    return handOver(list)
  }

  /// The rows in the order of their keys, which is mostly that in which they were packed.
  mutating func finishByKey() -> RowSet {
    var list = Array(UnsafeBufferPointer(start: rows, count: count))
    if !ascends { list.sort { $0.key < $1.key } }
    return handOver(list)
  }

  /// The connection may wait long for its next query, and keeps no memory of this one but the block
  /// that it goes on filling.
  private mutating func handOver(_ list: [RowPointer]) -> RowSet {
    defer { shrink() }
    if list.isEmpty { return RowSet() }
    finished.keep(block)
    defer { finished = RowMemory() }
    return RowSet(list, in: finished)
  }

  /// The only row that was packed.
  mutating func finishOne() -> HeldRow? { count == 1 ? rows[0].held : nil }

  /// Packs one row: `Z_PK`, `Z_OPT`, `Z_ENT` if the plan reads it, then the columns.
  /// - Returns: The row's number in this query; -1 after a failure.
  mutating func pack(_ values: UnsafeMutablePointer<OpaquePointer?>) -> Int64 {
    let key = sqlite3_value_int64(values[0])
    guard key >= 0 else { return fail(.badKey(key: key)) }
    var position = 0
    if readsEntity {
      let number = sqlite3_value_int64(values[2])
      guard sqlite3_value_type(values[2]) == SQLITE_INTEGER, knows(number) else {
        return fail(.unknownEntity(key: key, found: Self.text(values[2])))
      }
      position = Int(number - firstNumber)
    }
    let entity = entities[position]
    guard let version = Self.version(values[1]) else {
      let found = Self.text(values[1])
      return fail(.badVersion(key: key, entityNumber: entity.number, found: found))
    }
    let fixed = (entity.leadingWords + CAULDRON_ROW_HEADER + entity.slotCount) * 8
    // A row begins in the first 64 KiB of its block, where its address leads back to the block.
    let start = cursor + entity.leadingWords * 8
    if end - cursor < fixed || start - block.base >= CAULDRON_ROW_UNIT { startBlock(fixed) }
    var row = OpenRow(cursor, entity)
    row.words[CAULDRON_ROW_KEY] = key
    row.words[CAULDRON_ROW_NUMBERS] = entity.numberWord | version
    guard pack(values, of: entity, into: &row) else { return -1 }
    let size = row.size
    guard size <= UInt32.max else { return fail(.tooLarge(key: key)) }
    row.words[CAULDRON_ROW_SIZE] = cauldron_row_pair(
      UInt32(size), UInt32(truncatingIfNeeded: row.nulls))
    row.words[CAULDRON_ROW_MAKER] = 0
    cursor = UnsafeMutableRawPointer(row.words) + (size + 7) & ~7
    if key < lastKey { ascends = false }
    lastKey = key
    return append(RowPointer(row.words))
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

  /// The model's number of an entity, given that of the file; 0 where there is none.
  @inline(__always)
  func modelNumber(_ number: Int64) -> Int64 {
    if models.isEmpty { return number }
    return number > 0 && number < models.count ? Int64(models[Int(number)]) : 0
  }

  /// Whether rows of an entity are expected.
  func knows(_ number: Int64) -> Bool {
    number >= firstNumber && number - firstNumber < entities.count
      && entities[Int(number - firstNumber)].numberWord >= 0
  }

  mutating func fail(_ failure: PackFailure) -> Int64 {
    self.failure = failure
    return -1
  }

  private mutating func append(_ row: RowPointer) -> Int64 {
    if count == capacity { grow() }
    (rows + count).initialize(to: row)
    count += 1
    return Int64(count - 1)
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<RowPointer>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: rows, count: count)
    rows.deallocate()
    rows = larger
    capacity *= 2
  }

  /// Gives a long list of addresses back, so that one large fetch does not cost memory for ever.
  private mutating func shrink() {
    guard capacity > 1 << 16 else { return }
    rows.deallocate()
    capacity = 64
    rows = .allocate(capacity: capacity)
    count = 0
  }

  private mutating func startBlock(_ bytes: Int) {
    block.used = min(cursor - block.base, block.capacity)
    if count > 0 { finished.keep(block) }
    block = RowBlock(minimum: bytes)
    cursor = block.base + block.used
    end = block.base + block.capacity
  }

  /// Makes room for `bytes` more at the end of a row by moving it to a block of its own.
  @inline(never)
  mutating func move(_ row: inout OpenRow, of entity: PackedEntity, roomFor bytes: Int) {
    let leading = entity.leadingWords * 8
    let old = UnsafeMutableRawPointer(row.words) - leading
    let size = leading + row.size
    // The first row of a query may be all that would keep its block.
    let source = block
    startBlock(size + bytes + 8)
    withExtendedLifetime(source) { cursor.copyMemory(from: old, byteCount: size) }
    row.words = (cursor + leading).assumingMemoryBound(to: Int64.self)
    row.text = (cursor + size).assumingMemoryBound(to: CChar.self)
  }

  /// The first byte that does not belong to the current block.
  var limit: UnsafeMutableRawPointer { end }
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
      next = cauldron_pack(&row, entity.steps.baseAddress, next, entity.steps.count, values, limit)
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
    if limit - UnsafeMutableRawPointer(row.text) < count + 8 {
      move(&row, of: entity, roomFor: count)
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
    if let last = ids.last, key < last.key { ascends = false }
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
    if readsEntity, let bad = result.first(where: { !knows(Int64($0.entityNumber)) }) {
      _ = fail(.unknownEntity(key: bad.key, found: "\(bad.entityNumber)"))
      return nil
    }
    if translatesIDs {
      result = result.map { id in
        ManagedObjectID(
          key: id.key, entityNumber: Int32(modelNumber(Int64(id.entityNumber))),
          storeNumber: id.storeNumber)
      }
    }
    if byKey, !ascends { result.sort { $0.key < $1.key } }
    return result
  }
}
