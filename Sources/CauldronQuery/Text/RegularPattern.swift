import CauldronModel

/// A regular expression whose search takes time in proportion to text and expression, whatever
/// both are: what MATCHES compares a whole text with, in SQL and in memory.
///
/// It walks through all ways at once instead of trying one after the other, so that no expression
/// makes it hang. That leaves out what such a walk cannot do, back references and looking around;
/// they are refused.
///
/// Without options characters are Unicode scalars. With one of them they are letters with their
/// accents, and what is spelt out is compared folded; see ``SearchedText``.
package struct RegularPattern: Sendable {
  package let text: String
  package let options: TextOptions
  /// The options, `(?i)` included.
  private let allOptions: TextOptions
  private var program: [Instruction] = []
  /// How often a part was written out.
  private var work = 0

  /// Why a text is no expression that can be taken.
  struct Mistake: Error {
    let reason: String
  }

  /// The steps of a walk.
  fileprivate enum Instruction: Sendable {
    case scalar(Unicode.Scalar)
    case one(ScalarSet)
    case either(Int, Int)
    case goOn(Int)
    case start
    case end
    case wordEdge(Bool)
    case found
  }

  /// The most steps an expression may have, counts such as `{1,100}` written out.
  static let greatestLength = 5_000

  /// Compiles an expression.
  package init(_ text: String, _ options: TextOptions) throws {
    self.text = text
    self.options = options
    let ignoresCase = text.unicodeScalars.starts(with: "(?i)".unicodeScalars)
    allOptions = ignoresCase ? options.union(.ignoringCase) : options
    let source = ignoresCase ? String(text.unicodeScalars.dropFirst(4)) : text
    var reader = PatternReader(source, allOptions)
    let pattern = try reader.read()
    try append(pattern)
    program.append(.found)
  }

  /// Whether the whole text matches.
  /// - Complexity: O(length of the text × length of the expression).
  package func matches(_ text: String) -> Bool {
    var walk = PatternWalk(program, SearchedText(text, allOptions))
    return walk.run()
  }

  private mutating func append(_ pattern: PatternNode) throws {
    work += 1
    guard program.count <= Self.greatestLength, work <= 10 * Self.greatestLength else {
      throw Mistake(reason: "it has more than \(Self.greatestLength) steps")
    }
    switch pattern {
    case .scalar(let scalar): program.append(.scalar(scalar))
    case .one(let set): program.append(.one(set))
    case .start: program.append(.start)
    case .end: program.append(.end)
    case .wordEdge(let isWanted): program.append(.wordEdge(isWanted))
    case .sequence(let list): for part in list { try append(part) }
    case .either(let list): try append(either: list)
    case .repeated(let part, let least, let most):
      for _ in 0..<least { try append(part) }
      guard let most else { return try append(endless: part) }
      for _ in least..<most { try append(optional: part) }
    }
  }

  private mutating func append(either list: [PatternNode]) throws {
    var ends: [Int] = []
    for part in list.dropLast() {
      let fork = program.count
      program.append(.found)
      try append(part)
      ends.append(program.count)
      program.append(.found)
      program[fork] = .either(fork + 1, program.count)
    }
    if let last = list.last { try append(last) }
    for end in ends { program[end] = .goOn(program.count) }
  }

  private mutating func append(endless part: PatternNode) throws {
    let fork = program.count
    program.append(.found)
    try append(part)
    program.append(.goOn(fork))
    program[fork] = .either(fork + 1, program.count)
  }

  private mutating func append(optional part: PatternNode) throws {
    let fork = program.count
    program.append(.found)
    try append(part)
    program[fork] = .either(fork + 1, program.count)
  }
}

/// A regular expression as a tree.
indirect enum PatternNode: Sendable {
  /// A scalar as it is compared.
  case scalar(Unicode.Scalar)
  /// A whole character.
  case one(ScalarSet)
  case start
  case end
  case wordEdge(Bool)
  case sequence([PatternNode])
  case either([PatternNode])
  case repeated(PatternNode, Int, Int?)
}

/// All places of an expression that a text can have reached.
private struct PatternWalk {
  private let program: [RegularPattern.Instruction]
  private let text: SearchedText
  private var places: [Int] = []
  /// Those that are reached where the current character ends.
  private var later: [Int] = []
  private var seen: [Int]

  init(_ program: [RegularPattern.Instruction], _ text: SearchedText) {
    self.program = program
    self.text = text
    seen = Array(repeating: -1, count: program.count)
  }

  mutating func run() -> Bool {
    add(0, at: 0)
    for position in text.scalars.indices {
      if places.isEmpty, later.isEmpty { return false }
      step(position)
      guard text.isBoundary(position + 1) else { continue }
      let reached = later
      later.removeAll(keepingCapacity: true)
      for place in reached { add(place, at: position + 1) }
    }
    return places.contains { if case .found = program[$0] { true } else { false } }
  }

  private mutating func step(_ position: Int) {
    let scalar = text.scalars[position]
    let letter = text.character(at: position)
    let reached = places
    places.removeAll(keepingCapacity: true)
    for place in reached {
      switch program[place] {
      case .scalar(let wanted): if wanted == scalar { add(place + 1, at: position + 1) }
      case .one(let set):
        guard let letter, set.contains(letter, in: text.scalars[letter.range]) else { continue }
        later.append(place + 1)
      case .either, .goOn, .start, .end, .wordEdge, .found: continue
      }
    }
  }

  /// Adds a place, and all that can be reached from there without a character.
  private mutating func add(_ place: Int, at position: Int) {
    var open = [place]
    while let next = open.popLast() {
      guard seen[next] != position else { continue }
      seen[next] = position
      switch program[next] {
      case .scalar, .one, .found: places.append(next)
      case .goOn(let other): open.append(other)
      case .either(let first, let second): open += [second, first]
      case .start: if position == 0 { open.append(next + 1) }
      case .end: if position == text.scalars.count { open.append(next + 1) }
      case .wordEdge(let isWanted):
        if isWordEdge(position) == isWanted { open.append(next + 1) }
      }
    }
  }

  private func isWordEdge(_ position: Int) -> Bool {
    guard text.isBoundary(position) else { return false }
    let before = text.character(endingAt: position).map { ScalarSet.isWord($0.first) } ?? false
    let after = text.character(at: position).map { ScalarSet.isWord($0.first) } ?? false
    return before != after
  }
}
