/// What contexts show, as plain dictionaries: the own changes of each over what its parent shows.
///
/// What two contexts do to the same fact is in conflict, and which of them wins is not what is
/// tested here: the second one is told that it must not.
struct GraphOracle {
  /// What the file has, and the unsaved changes of each context.
  var stored = GraphLayer()
  var layers: [GraphPlace: GraphLayer] = [:]
  /// Everything that ever was.
  private(set) var kinds: [GraphKind] = []
  /// For which name a word was asked for.
  var claims: [Int: Int] = [:]
  var stamps = 0

  /// The number of a new object.
  mutating func make(_ kind: GraphKind) -> Int {
    kinds.append(kind)
    return kinds.count - 1
  }

  func kind(_ object: Int) -> GraphKind { kinds[object] }

  /// What a context shows, also of what is deleted.
  func content(_ cell: GraphCell, _ place: GraphPlace?) -> Int? {
    var next = place
    while let place = next {
      if let content = layers[place]?.cells[cell] { return content }
      next = place.parent
    }
    return stored.cells[cell] ?? nil
  }

  func exists(_ object: Int, _ place: GraphPlace?) -> Bool {
    content(.exists(object), place) == 1
  }

  func living(_ kind: GraphKind, _ place: GraphPlace?) -> [Int] {
    kinds.indices.filter { kinds[$0] == kind && exists($0, place) }
  }

  /// What a reference leads to, if that exists.
  func reference(_ cell: GraphCell, _ place: GraphPlace) -> Int? {
    content(cell, place).flatMap { exists($0, place) ? $0 : nil }
  }

  func isLinked(_ link: GraphLink, _ a: Int, _ b: Int, _ place: GraphPlace) -> Bool {
    content(.link(link, a, b), place) == 1
  }

  /// The objects at the far ends of an object's many-to-many links.
  func linked(to object: Int, _ place: GraphPlace) -> Set<Int> {
    let cells = Set(place.chain.flatMap { layers[$0]?.cells.keys.map { $0 } ?? [] })
      .union(stored.cells.keys)
    return cells.reduce(into: []) { result, cell in
      guard case .link(_, let a, let b) = cell, a == object || b == object,
        content(cell, place) == 1
      else { return }
      result.insert(a == object ? b : a)
    }
  }

  /// Whether a context may do something, because no other one has done anything to the same.
  func isFree(
    _ writes: [(GraphCell, Int?)], touching: [Int] = [], deleting: [Int] = [], _ place: GraphPlace
  ) -> Bool {
    let own = layers[place]?.cells ?? [:]
    return place.others.allSatisfy { other in
      guard let theirs = layers[other] else { return true }
      for (cell, content) in writes {
        guard let content2 = theirs.cells[cell] else { continue }
        // What two contexts link alike is one link.
        if cell.isLink, content2 == content, own[cell] == nil { continue }
        return false
      }
      let touched = touching + writes.flatMap { $0.0.objects($0.1) }
      return touched.allSatisfy { theirs.cells[.exists($0)] != .some(0) }
        && deleting.allSatisfy { !theirs.mentioned.contains($0) }
    }
  }

  mutating func write(_ writes: [(GraphCell, Int?)], _ place: GraphPlace) {
    for (cell, content) in writes { layers[place, default: .init()].write(cell, content) }
  }
}
