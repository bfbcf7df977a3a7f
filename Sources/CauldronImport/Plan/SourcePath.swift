import CauldronModel

/// The names that lead to a value in a record.
struct SourcePath: Sendable {
  /// As it was written.
  let text: String
  /// What leads to the value as a JSON pointer: along the names, and under the text as a name of its own.
  let pointer: String
  private let wholePointer: String
  private let whole: [UInt8]
  /// The names of a path with points; empty where there is none.
  private let steps: [[UInt8]]

  init(_ text: String) {
    self.text = text
    whole = Array(text.utf8)
    let parts = ImportPointer.names(text)
    steps = parts.count > 1 || text.hasPrefix("/") ? parts.map { Array($0.utf8) } : []
    pointer = parts.map { ImportPointer.step($0) }.joined()
    wholePointer = ImportPointer.step(text)
  }

  /// Whether the path is a name, or leads on from it.
  func begins(with name: String) -> Bool {
    text == name || steps.first?.elementsEqual(name.utf8) == true
  }

  /// What the names lead to; nil also where something on the way is missing, or null.
  ///
  /// A name that has points itself comes before a path.
  /// - Throws: Where one of the names stands twice in its object.
  func value(in record: JSONValue) throws(Refusal) -> (pointer: String, value: JSONValue)? {
    if let value = record.member(whole) {
      if record.isRepeated(whole) { throw Refusal(twice: whole).under(wholePointer) }
      return (wholePointer, value)
    }
    guard let first = steps.first, var value = record.member(first) else { return nil }
    if record.isRepeated(first) { throw Refusal(twice: first).under(pointer) }
    for step in steps.dropFirst() {
      guard let next = value.member(step) else { return nil }
      if value.isRepeated(step) { throw Refusal(twice: step).under(pointer) }
      value = next
    }
    return (pointer, value)
  }
}

extension [SourcePath] {
  /// What the first of the paths that leads to something leads to; null is something.
  /// - Throws: Where a name that leads there stands twice in its object.
  func value(in record: JSONValue) throws(Refusal) -> (pointer: String, value: JSONValue)? {
    for path in self {
      if let found = try path.value(in: record) { return found }
    }
    return nil
  }
}
