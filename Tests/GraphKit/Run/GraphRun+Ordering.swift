import Cauldron

extension GraphRun {
  private func pickList(_ op: Operation) -> GraphList? {
    let properties: [GraphProperty] = [.parts, .rows, .steps, .ranking]
    let property = properties[op[3] / 3 % 4]
    let kind: GraphKind =
      switch property {
      case .parts: .node
      case .ranking: .mark
      default: .crate
      }
    return pick(kind, op[1]).map { GraphList(property: property, owner: $0) }
  }

  /// Notes an order, which may change what belongs to any object of the list.
  private mutating func note(_ list: GraphList, _ order: [Int], joining node: Int? = nil) -> Bool {
    let writes = order.compactMap { member in
      oracle.cell(member, list).map { ($0, Int?.some($0.isLink ? 1 : list.owner)) }
    }
    let before = node.flatMap { oracle.cell($0, list) }.flatMap { oracle.reference($0, place) }
    var other: GraphList?
    if let before, let node, list.property != .ranking, before != list.owner {
      other = GraphList(property: list.property, owner: before)
      guard let other, oracle.order(other, place)?.contains(node) == true else { return false }
    }
    guard note(writes, touching: [list.owner] + (other.map { [$0.owner] } ?? [])) else {
      return false
    }
    if let other, let node {
      let rest = (oracle.order(other, place) ?? []).filter { $0 != node }
      oracle.arrange(other, rest, place)
    }
    oracle.arrange(list, order, place)
    story.append("  \(list.property) of \(list.owner) is \(order)")
    return true
  }

  /// Moves a node of a list, or swaps two.
  mutating func reorder(_ op: Operation, _ context: ManagedObjectContext) {
    guard let list = pickList(op), var order = oracle.order(list, place), order.count > 1 else {
      return
    }
    let (a, b) = (op[1] / 7 % order.count, op[2] % order.count)
    let isSwap = op[3] / 12 % 2 == 0
    if isSwap { order.swapAt(a, b) } else { order.insert(order.remove(at: a), at: b) }
    guard note(list, order), let nodes = object(list.owner, context)?.graphList(list.property)
    else { return }
    if isSwap { nodes.swapAt(a, b) } else { nodes.move(from: a, to: b) }
  }

  /// Puts a node at a place of a list, or lets a list have these and no others.
  mutating func insert(_ op: Operation, _ context: ManagedObjectContext) {
    guard let list = pickList(op), var order = oracle.order(list, place),
      let node = pick(.node, op[2]), let x = object(node, context) as? Node
    else { return }
    var position = op[2] / 7 % (order.count + 1)
    let target = position
    if let index = order.firstIndex(of: node) {
      order.remove(at: index)
      if index < position { position -= 1 }
    }
    order.insert(node, at: position)
    guard note(list, order, joining: node),
      let nodes = object(list.owner, context)?.graphList(list.property)
    else { return }
    nodes.insert(x, at: target)
  }
}
