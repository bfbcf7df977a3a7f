extension PropertyListReader {
  /// Reads the object at an offset before the table.
  mutating func read(_ offset: Int) throws(StoredModelFailure) -> PropertyListObject {
    let low = Int(bytes[offset] & 0xF)
    switch bytes[offset] >> 4 {
    case 0x0: return try constant(low)
    case 0x1:
      guard low <= 4 else { throw .propertyList }
      // Of 16 bytes, which stand for numbers beyond 63 bits, those that tell -1 from the rest.
      return .integer(Int(truncatingIfNeeded: try word(offset, 1 << low)))
    case 0x2: return .real(try real(offset, 1 << low))
    case 0x3: return .date(try real(offset, 8))
    case 0x4: return .data(Array(try elements(offset, 1)))
    case 0x5: return .text(String(decoding: try elements(offset, 1), as: UTF8.self))
    case 0x6: return .text(try wideText(offset))
    case 0x8:
      guard let number = Int(exactly: try word(offset, low + 1)) else { throw .propertyList }
      return .reference(number)
    case 0xA: return .array(numbers(try elements(offset, referenceSize)))
    case 0xD:
      let all = numbers(try elements(offset, 2 * referenceSize))
      let half = all.count / 2
      return .dictionary(keys: Array(all[..<half]), values: Array(all[half...]))
    default: throw .propertyList
    }
  }

  private func constant(_ low: Int) throws(StoredModelFailure) -> PropertyListObject {
    switch low {
    case 0: return .null
    case 8: return .boolean(false)
    case 9: return .boolean(true)
    default: throw .propertyList
    }
  }

  /// The number of a fixed size behind a marker.
  private mutating func word(_ offset: Int, _ size: Int) throws(StoredModelFailure) -> UInt64 {
    guard size <= table - offset - 1 else { throw .propertyList }
    try spend(1 + size)
    return Self.word(bytes[(offset + 1)..<(offset + 1 + size)])
  }

  private mutating func real(_ offset: Int, _ size: Int) throws(StoredModelFailure) -> Double {
    let word = try word(offset, size)
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case 8: return Double(bitPattern: word)
    default: throw .propertyList
    }
  }

  /// The bytes of an object's elements, each of which has so many.
  private mutating func elements(
    _ offset: Int, _ unit: Int
  ) throws(StoredModelFailure) -> ArraySlice<UInt8> {
    var start = offset + 1
    var count = Int(bytes[offset] & 0xF)
    if count == 0xF {
      guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else {
        throw .propertyList
      }
      let size = 1 << Int(bytes[start] & 0xF)
      count = try Self.integer(bytes, start + 1, size)
      start += 1 + size
    }
    guard start <= table, count <= (table - start) / unit else { throw .propertyList }
    try spend(1 + count * unit)
    return bytes[start..<(start + count * unit)]
  }

  private func numbers(_ elements: ArraySlice<UInt8>) -> [Int] {
    stride(from: elements.startIndex, to: elements.endIndex, by: referenceSize).map { start in
      Int(clamping: Self.word(elements[start..<(start + referenceSize)]))
    }
  }

  private mutating func wideText(_ offset: Int) throws(StoredModelFailure) -> String {
    let elements = try elements(offset, 2)
    let units = stride(from: elements.startIndex, to: elements.endIndex, by: 2).map { start in
      UInt16(elements[start]) << 8 | UInt16(elements[start + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
