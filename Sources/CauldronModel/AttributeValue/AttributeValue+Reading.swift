internal import CCauldron

extension AttributeValue {
  /// The value that a scalar stands for; nil, or what a missing value shows, for `.null` and for what is
  /// none of the type.
  package static func shown(for scalar: AttributeScalar) -> Self {
    switch scalar {
    case .null: return read(0, [], isNull: true)
    case .integer(let number):
      guard _isInline else { return read(spelt: "\(number)") }
      return attributeType.storageClass == .real
        ? read(Int64(bitPattern: Double(number).bitPattern), []) : read(number, [])
    case .real(let number):
      guard _isInline else { return read(spelt: "\(number)") }
      guard attributeType.storageClass != .real else {
        return read(Int64(bitPattern: number.bitPattern), [])
      }
      // What is beyond 64 bits has become a Double.
      return Int64(exactly: number).map { read($0, []) } ?? read(0, [], isNull: true)
    case .text(let text): return read(bytes: Array(text.utf8))
    case .blob(let data): return read(bytes: [UInt8](data))
    }
  }

  /// A number for a type that is kept as text.
  private static func read(spelt text: String) -> Self {
    attributeType.storageClass == .text
      ? read(bytes: Array(text.utf8)) : read(0, [], isNull: true)
  }

  private static func read(bytes: [UInt8]) -> Self {
    guard !_isInline else { return read(0, [], isNull: true) }
    // The bytes lie behind one slot, as they do in a row.
    let slot = cauldron_row_pair(UInt32(MemoryLayout<Int64>.size), UInt32(bytes.count))
    return read(slot, bytes)
  }

  private static func read(_ slot: Int64, _ bytes: [UInt8], isNull: Bool = false) -> Self {
    let words = 1 + (bytes.count + 7) / 8
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: words) { buffer in
      buffer.initialize(repeating: 0)
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[8...])
        .copyBytes(from: bytes)
      guard let start = buffer.baseAddress else { trap("An allocation has no address.") }
      return _read(slot: slot, row: UnsafePointer(start), isNull: isNull)
    }
  }
}
