/// What a context shows and the dictionaries do not; in one sentence.
struct GraphDifference: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension GraphRun {
  /// The number of the kind of defect that a difference shows; nil for an unknown one.
  package static func knownKind(of difference: String) -> String? {
    // A deny rule that an undone and redone deletion goes by.
    difference.contains("was saved, although") && difference.contains("is denied") ? "G26" : nil
  }
}
