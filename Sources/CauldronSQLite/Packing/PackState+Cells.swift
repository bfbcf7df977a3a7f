internal import CSQLite

extension PackState {
  /// Packs one cell; the usual types without a call into other code of ours.
  @inline(__always)
  mutating func pack(
    _ value: OpaquePointer?, _ step: PackStep, _ entity: PackedEntity, _ row: OpenRow
  ) -> OpenRow {
    let type = sqlite3_value_type(value)
    guard type == step.expected else {
      if type == SQLITE_NULL, step.kind != .entityKey {
        row.setNull(step)
        return row
      }
      return convert(value, type, step, entity, row)
    }
    var row = row
    switch step.kind {
    case .integer:
      row.set(step, sqlite3_value_int64(value))
    case .real:
      row.set(step, Int64(bitPattern: sqlite3_value_double(value).bitPattern))
    case .text:
      // The text comes before its length, as asking for it may convert
      // (https://www.sqlite.org/c3ref/value_blob.html).
      let start = sqlite3_value_text(value)
      let count = Int(sqlite3_value_bytes(value))
      return append(UnsafeRawPointer(start), count, step, entity, row)
    case .blob, .decimal, .uuid, .entityKey:
      let start = sqlite3_value_blob(value)
      let count = Int(sqlite3_value_bytes(value))
      return append(start, count, step, entity, row)
    }
    return row
  }

  /// Appends the bytes of a text or blob to a row.
  @inline(__always)
  mutating func append(
    _ start: UnsafeRawPointer?, _ count: Int, _ step: PackStep, _ entity: PackedEntity,
    _ row: OpenRow
  ) -> OpenRow {
    var row = row
    if limit - row.text < count + 8 { row = move(row, entity, roomFor: count) }
    let offset = row.text - UnsafeMutableRawPointer(row.words)
    if let start { row.text.copyMemory(from: start, byteCount: count) }
    row.set(step, Int64(truncatingIfNeeded: offset) << 32 | Int64(count))
    row.text += count
    return row
  }
}
