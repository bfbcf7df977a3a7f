internal import CCauldron
internal import CSQLite

extension PackState {
  /// Packs the cells of a row; false after a failure.
  @inline(__always)
  mutating func pack(
    _ values: UnsafeMutablePointer<OpaquePointer?>, _ entity: PackedEntity, _ row: inout OpenRow
  ) -> Bool {
    var next = 0
    while true {
      next = cauldron_pack(&row, entity.steps.baseAddress, next, entity.steps.count, values, limit)
      guard next < entity.steps.count else { return true }
      let step = entity.steps[next]
      guard packWithCare(values[Int(step.argument)], step, entity, &row) else { return false }
      next += 1
    }
  }

  /// Packs a cell that needs a conversion or a check, or for which there is no room.
  @inline(never)
  private mutating func packWithCare(
    _ value: OpaquePointer?, _ step: PackStep, _ entity: PackedEntity, _ row: inout OpenRow
  ) -> Bool {
    let type = sqlite3_value_type(value)
    // An integer of the expected type is here because it is out of range.
    guard type == Int32(step.expected), type != SQLITE_INTEGER else {
      return convert(value, type, step, entity, &row)
    }
    let start =
      type == SQLITE_TEXT
      ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
    append(start, Int(sqlite3_value_bytes(value)), step, entity, &row)
    return true
  }

  /// Appends the bytes of a text or blob to a row.
  mutating func append(
    _ start: UnsafeRawPointer?, _ count: Int, _ step: PackStep, _ entity: PackedEntity,
    _ row: inout OpenRow
  ) {
    if limit - UnsafeMutableRawPointer(row.text) < count + 8 { move(&row, entity, roomFor: count) }
    let offset = row.size
    if let start { UnsafeMutableRawPointer(row.text).copyMemory(from: start, byteCount: count) }
    let length = UInt32(truncatingIfNeeded: count)
    row.set(step, cauldron_row_pair(UInt32(truncatingIfNeeded: offset), length))
    row.text += count
  }
}
