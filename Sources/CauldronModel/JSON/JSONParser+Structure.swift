extension JSONParser {
  /// Reads white space and what begins after it; a part of the loop over a piece.
  @inline(__always)
  mutating func begin(
    _ piece: UnsafeBufferPointer<UInt8>, at index: inout Int, tell body: (JSONTape) throws -> Void
  ) throws {
    let byte = piece[index]
    switch byte {
    case 0x20, 0x09, 0x0D:
      index += 1
      needsSpace = false
    case 0x0A:
      index += 1
      needsSpace = false
      position.beginLine(at: index)
    default:
      if position.takesMark(byte, at: index) {
        index += 1
        return
      }
      if needsSpace, places.isEmpty { throw syntax("the end of a line is missing", at: index) }
      switch expectation {
      case .value, .valueOrEnd: try beginValue(byte, at: &index, tell: body)
      case .name, .nameOrEnd: try beginName(byte, at: &index, tell: body)
      case .separator: try separate(byte, at: &index, tell: body)
      case .colon:
        guard byte == 0x3A else { throw syntax("a colon is missing", at: index) }
        expectation = .value
        index += 1
      case .end: throw syntax(.more(byte), at: index)
      }
    }
  }

  /// Whether a value begins that is no object and no array.
  private static func beginsPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x22, 0x2D, 0x30...0x39, 0x66, 0x6E, 0x74: true
    default: false
    }
  }

  private mutating func beginValue(
    _ byte: UInt8, at index: inout Int, tell body: (JSONTape) throws -> Void
  ) throws {
    if position.isInMark { throw syntax(.missingValue, at: index) }
    if byte == 0x5D, case .valueOrEnd = expectation { return try close(at: &index, tell: body) }
    let use = nextUse
    if Self.beginsPlain(byte) { try checkIsNoPath(use, at: index) }
    let outer = places.indices.last
    switch byte {
    case 0x7B, 0x5B: try open(isObject: byte == 0x7B, for: use, at: index)
    case 0x22: beginText(isName: false)
    case 0x2D: beginNumber(.minus, with: byte)
    case 0x30: beginNumber(.zero, with: byte)
    case 0x31...0x39: beginNumber(.whole, with: byte)
    case 0x6E: token = .literal(.null, Array("ull".utf8)[...])
    case 0x66: token = .literal(.false, Array("alse".utf8)[...])
    case 0x74: token = .literal(.true, Array("rue".utf8)[...])
    default: throw syntax(mistake(byte, at: index), at: index)
    }
    if let outer, !places[outer].isObject { places[outer].count += 1 }
    index += 1
  }

  /// What stands where a value should.
  private func mistake(_ byte: UInt8, at index: Int) -> JSONMistake {
    if let other = otherFile(byte, at: index) { return other }
    let isAfterComma = places.last.map { !$0.isObject && $0.count > 0 } ?? false
    return JSONMistake.value(byte, isAfterComma: isAfterComma)
  }

  private func otherFile(_ byte: UInt8, at index: Int) -> JSONMistake? {
    JSONMistake.otherFile(byte, at: position.offset(of: index), isOutside: places.isEmpty)
  }

  /// What becomes of the value that begins now.
  private var nextUse: JSONPlace.Use {
    guard let place = places.last else { return root.isEmpty ? .record : .path(0) }
    switch place.use {
    case .path(let depth):
      guard place.isAtFollowed else { return .skipped }
      return depth + 1 == root.count ? .record : .path(depth + 1)
    case .records, .record: return .record
    case .skipped: return .skipped
    }
  }

  private mutating func open(isObject: Bool, for use: JSONPlace.Use, at index: Int) throws {
    guard places.count < Self.mostLevels else {
      throw error(
        .importTooDeep, "it is nested in more than \(Self.mostLevels) levels", at: index,
        hint: "Import a flatter text.")
    }
    var use = use
    if !isObject {
      if case .path = use { try checkIsNoPath(use, at: index) }
      // The array that the root leads to is no record: its elements are.
      if use == .record, isAtRoot {
        if form == .object { throw listed(at: index) }
        use = .records
      }
    } else if form == .object, use == .record, isAtRoot {
      use = .records
    }
    let isKept = use == .record
    if isKept { tape.add(isObject ? .object : .array) }
    places.append(
      JSONPlace(isObject: isObject, use: use, node: isKept ? tape.nodes.count - 1 : -1))
    expectation = isObject ? .nameOrEnd : .valueOrEnd
  }

  /// Whether the value that begins now is what the root path leads to.
  private var isAtRoot: Bool {
    guard let place = places.last else { return root.isEmpty }
    return place.isTarget(root.count)
  }

  private func checkIsNoPath(_ use: JSONPlace.Use, at index: Int) throws {
    if case .path(let depth) = use {
      throw error(
        .importRoot, "there is no object in which \"\(name(depth))\" could be", at: index,
        hint: "Name the root path as the text has it.")
    }
    if isAtRoot, form != .lines || !root.isEmpty {
      throw error(
        .importRoot, "the root is neither an array nor an object", at: index,
        hint: "Name the root path that leads to the records.")
    }
  }

  private func listed(at index: Int) -> CauldronError {
    error(
      .importRoot, "the root is an array, whose records have no names", at: index,
      hint: "Import it without records: .object.")
  }

  private mutating func separate(
    _ byte: UInt8, at index: inout Int, tell body: (JSONTape) throws -> Void
  ) throws {
    guard let place = places.last else { throw syntax(.more(byte), at: index) }
    switch byte {
    case 0x2C:
      expectation = place.isObject ? .name : .value
      index += 1
    case 0x7D where place.isObject, 0x5D where !place.isObject: try close(at: &index, tell: body)
    default: throw syntax("a comma or the end of the \(place.word) is missing", at: index)
    }
  }

  /// Ends an array or an object.
  mutating func close(at index: inout Int, tell body: (JSONTape) throws -> Void) throws {
    let place = places.removeLast()
    if case .path(let depth) = place.use, !place.wasFollowed {
      throw error(
        .importRoot, "the object has no \"\(name(depth))\"", at: index,
        hint: "Name the root path as the text has it.")
    }
    if place.node >= 0 { tape.close(place.node, count: place.count) }
    index += 1
    try endValue(body)
  }

  @inline(__always)
  private mutating func beginName(
    _ byte: UInt8, at index: inout Int, tell body: (JSONTape) throws -> Void
  ) throws {
    if byte == 0x7D, case .nameOrEnd = expectation { return try close(at: &index, tell: body) }
    guard byte == 0x22 else {
      throw syntax(
        otherFile(byte, at: index) ?? .name(byte), at: index)
    }
    beginText(isName: true)
    index += 1
  }

  func name(_ depth: Int) -> String { String(decoding: root[depth], as: UTF8.self) }
}

extension JSONPlace {
  var word: String { isObject ? "object" : "array" }
}
