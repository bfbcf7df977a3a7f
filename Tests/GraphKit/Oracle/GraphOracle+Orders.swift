extension GraphOracle {
  /// Which state of a list a context has; 0 for the first one.
  func stamp(_ list: GraphList, _ place: GraphPlace?) -> Int {
    var next = place
    while let place = next {
      if let order = layers[place]?.orders[list] { return order.stamp }
      next = place.parent
    }
    return stored.orders[list]?.stamp ?? 0
  }

  /// The objects of a list in their order; nil where two contexts have changed it without knowing of
  /// each other, so that the library decides.
  func order(_ list: GraphList, _ place: GraphPlace) -> [Int]? {
    raw(list, place)?.filter { isMember($0, list, place) }
  }

  private func raw(_ list: GraphList, _ place: GraphPlace?) -> [Int]? {
    guard let place else { return stored.orders[list]?.objects ?? [] }
    guard let order = layers[place]?.orders[list] else { return raw(list, place.parent) }
    return isKnown(order, list, place) ? order.objects : nil
  }

  /// Whether an order was made of the one that the parent has, and that one is known.
  private func isKnown(
    _ order: GraphLayer.Order, _ list: GraphList, _ place: GraphPlace
  ) -> Bool {
    order.base == stamp(list, place.parent) && raw(list, place.parent) != nil
  }

  func members(_ list: GraphList, _ place: GraphPlace) -> [Int] {
    living(.node, place).filter { isMember($0, list, place) }
  }

  private func isMember(_ node: Int, _ list: GraphList, _ place: GraphPlace) -> Bool {
    exists(node, place) && cell(node, list).map { isMember($0, list.owner, place) } ?? false
  }

  private func isMember(_ cell: GraphCell, _ owner: Int, _ place: GraphPlace) -> Bool {
    content(cell, place) == (cell.isLink ? 1 : owner)
  }

  /// The fact that says whether a node is in a list.
  func cell(_ node: Int, _ list: GraphList) -> GraphCell? {
    switch list.property {
    case .ranking: .link(.ranking, node, list.owner)
    case .parts: .reference(.whole, node)
    case .rows: .reference(.row, node)
    case .steps: .reference(.step, node)
    default: nil
    }
  }

  /// Gives a list another order, which is known.
  mutating func arrange(_ list: GraphList, _ objects: [Int], _ place: GraphPlace) {
    stamps += 1
    let base = layers[place]?.orders[list]?.base ?? stamp(list, place.parent)
    layers[place, default: .init()].orders[list] =
      GraphLayer.Order(base: base, stamp: stamps, objects: objects)
    layers[place]?.mentioned.insert(list.owner)
  }

  /// Hands a context's changes to its parent, or the root's to the file.
  /// - Returns: The lists whose order in the parent the library has decided.
  mutating func push(_ place: GraphPlace) -> [GraphList] {
    guard let layer = layers[place] else { return [] }
    var open: [GraphList] = []
    for (list, order) in layer.orders {
      if !isKnown(order, list, place) { open.append(list) }
      var new = order
      guard let parent = place.parent else {
        stored.orders[list] = new
        continue
      }
      new.base = layers[parent]?.orders[list]?.base ?? stamp(list, parent.parent)
      layers[parent, default: .init()].orders[list] = new
    }
    layers[place] = nil
    guard let parent = place.parent else {
      stored.cells.merge(layer.cells) { $1 }
      return []
    }
    for (cell, content) in layer.cells { layers[parent, default: .init()].write(cell, content) }
    layers[parent, default: .init()].mentioned.formUnion(layer.mentioned)
    return open
  }
}
