import CauldronModel

/// The names that lead to a value in a record.
struct SourcePath: Sendable {
  /// As it was written, for pointers.
  let text: String
  private let whole: [UInt8]
  /// The names of a path with points; empty where there is none.
  private let steps: [[UInt8]]

  init(_ text: String) {
    self.text = text
    whole = Array(text.utf8)
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    steps = parts.count > 1 ? parts.map { Array($0.utf8) } : []
  }

  /// What the names lead to; nil also where something on the way is missing, or null.
  ///
  /// A name that has points itself comes before a path.
  func value(in record: JSONValue) -> JSONValue? {
    if let value = record.member(whole) { return value }
    guard let first = steps.first, var value = record.member(first) else { return nil }
    for step in steps.dropFirst() {
      guard let next = value.member(step) else { return nil }
      value = next
    }
    return value
  }
}

extension [SourcePath] {
  /// What the first of the paths that leads to something leads to; null is something.
  func value(in record: JSONValue) -> (path: SourcePath, value: JSONValue)? {
    for path in self {
      if let value = path.value(in: record) { return (path, value) }
    }
    return nil
  }
}
