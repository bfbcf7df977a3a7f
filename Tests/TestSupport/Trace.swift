package import Testing

/// Where in nested loops a test is, for the comment of an expectation.
package enum Trace {
  @TaskLocal static var steps: [String] = []

  /// Such as "seed: 3, row: 7"; pass it to `#expect`.
  package static var comment: Comment { Comment(rawValue: steps.joined(separator: ", ")) }
}

/// Runs `body` with every element, and notes which one for `Trace.comment`.
package func withEvery<S: Sequence>(
  _ label: String, in elements: S, _ body: (S.Element) throws -> Void
) rethrows {
  for element in elements {
    try Trace.$steps.withValue(Trace.steps + ["\(label): \(element)"]) { try body(element) }
  }
}
