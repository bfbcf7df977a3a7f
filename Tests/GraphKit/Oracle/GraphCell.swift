/// One fact that a context may change by itself.
enum GraphCell: Hashable {
  /// 1, or 0 once it is deleted.
  case exists(Int)
  case value(Int)
  case weight(Int)
  case name(Int)
  case reference(GraphReference, Int)
  /// The node of a mark, and the mark of a node.
  case chief(Int)
  case crown(Int)
  /// 1 where a node and something else are linked.
  case link(GraphLink, Int, Int)

  /// The objects that the fact is about, with the one that it refers to.
  func objects(_ content: Int?) -> [Int] {
    switch self {
    case .exists(let x), .value(let x), .weight(let x), .name(let x): [x]
    case .reference(_, let x), .chief(let x), .crown(let x): content.map { [x, $0] } ?? [x]
    case .link(_, let a, let b): [a, b]
    }
  }

  /// The facts about an object that lie in its own row.
  static func own(_ object: Int) -> [GraphCell] {
    [.value(object), .weight(object), .name(object), .chief(object), .crown(object)]
      + GraphReference.allCases.map { .reference($0, object) }
  }

  var isLink: Bool { if case .link = self { true } else { false } }
}

/// An ordered relationship of an object.
struct GraphList: Hashable {
  let property: GraphProperty
  let owner: Int
}

/// What a context has changed on top of its parent.
struct GraphLayer {
  struct Order {
    /// Which state of the list the context has changed.
    var base: Int
    /// The number of this state.
    var stamp: Int
    var objects: [Int]
  }

  var cells: [GraphCell: Int?] = [:]
  var orders: [GraphList: Order] = [:]
  /// The objects that must not be deleted elsewhere.
  var mentioned: Set<Int> = []

  mutating func write(_ cell: GraphCell, _ content: Int?) {
    cells.updateValue(content, forKey: cell)
    mentioned.formUnion(cell.objects(content))
  }
}
