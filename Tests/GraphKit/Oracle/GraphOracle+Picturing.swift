/// What objects show: attributes and references as lists of one, and what has no order sorted.
typealias GraphPicture = [GraphProperty: [Int]]

extension GraphOracle {
  /// What a context shows of its objects.
  /// - Parameter wanted: Which objects; nil for all.
  func pictures(of wanted: Set<Int>?, _ place: GraphPlace) -> [Int: GraphPicture] {
    var pictures: [Int: GraphPicture] = [:]
    for object in wanted ?? Set(kinds.indices) where exists(object, place) {
      let properties = kinds[object].properties
      pictures[object] = Dictionary(
        uniqueKeysWithValues: properties.map { ($0, $0 == .value || $0 == .weight ? [0] : []) })
    }
    for cell in cells(place) {
      guard let content = content(cell, place) else { continue }
      add(cell, content, place, &pictures)
    }
    return pictures
  }

  private func cells(_ place: GraphPlace) -> Set<GraphCell> {
    place.chain.reduce(into: Set(stored.cells.keys)) { cells, place in
      if let layer = layers[place] { cells.formUnion(layer.cells.keys) }
    }
  }

  private func add(
    _ cell: GraphCell, _ content: Int, _ place: GraphPlace, _ pictures: inout [Int: GraphPicture]
  ) {
    switch cell {
    case .exists: return
    case .value(let x): pictures[x]?[.value] = [content]
    case .weight(let x): pictures[x]?[.weight] = [content]
    case .name(let x): pictures[x]?[.name] = [content]
    case .chief(let x): if exists(content, place) { pictures[x]?[.chief] = [content] }
    case .crown(let x): if exists(content, place) { pictures[x]?[.crown] = [content] }
    case .reference(let reference, let x):
      guard exists(x, place), exists(content, place) else { return }
      if reference != .held { pictures[x]?[reference.property] = [content] }
      pictures[content]?[reference.inverse]?.append(x)
    case .link(let link, let a, let b):
      guard content == 1, exists(a, place), exists(b, place) else { return }
      pictures[a]?[link.property]?.append(b)
      // An object that is its own friend has one.
      if a != b || link != .friends { pictures[b]?[link.inverse]?.append(a) }
    }
  }
}
