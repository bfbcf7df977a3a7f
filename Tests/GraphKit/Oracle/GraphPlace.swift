/// A context of a run.
enum GraphPlace: Int, CaseIterable {
  /// Two children of the main context, the main context, a sibling of it, and the root.
  case editor, main, sibling, second, root

  var parent: GraphPlace? {
    switch self {
    case .editor, .second: .main
    case .main, .sibling: .root
    case .root: nil
    }
  }

  /// With itself, from below.
  var chain: [GraphPlace] { [self] + (parent?.chain ?? []) }

  /// Those whose unsaved changes it does not see.
  var others: [GraphPlace] { Self.allCases.filter { !chain.contains($0) } }
}
