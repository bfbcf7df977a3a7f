/// What an event has changed of what a context shows.
struct GraphRecord {
  struct Change {
    var before: Int?
    var after: Int?
  }

  struct Order {
    var before: [Int]?
    var after: [Int]?

    /// Whether it may give other places to those that are in it before and after: not where only its end
    /// changes.
    var mayMove: Bool {
      guard let before, let after else { return true }
      return !before.starts(with: after) && !after.starts(with: before)
    }
  }

  var cells: [GraphCell: Change] = [:]
  var lists: [GraphList: Order] = [:]
  /// What those were like that it has made.
  var made: [GraphCell: Int?] = [:]
  /// What references led to that was deleted already, and is not given back unless another context does.
  var lost: Set<Int> = []
  /// What was linked to the objects that it has deleted.
  var linked: Set<Int> = []
  /// The references that led to the objects that it has deleted.
  var leading: [GraphCell: Int] = [:]

  /// - Parameters:
  ///   - old: What contexts have shown before it is taken back.
  ///   - new: What they show then.
  func reversed(_ old: GraphOracle, _ new: GraphOracle, _ place: GraphPlace) -> GraphRecord {
    var record = turned
    record.noteMade(new, place)
    record.noteLinked(old, place)
    return record
  }

  private mutating func noteLinked(_ old: GraphOracle, _ place: GraphPlace) {
    for object in coming() {
      linked.formUnion(old.linked(to: object, place))
      for reference in GraphReference.allCases {
        for member in old.members(reference, object, place) {
          leading[.reference(reference, member)] = object
        }
      }
    }
  }

  private mutating func noteMade(_ new: GraphOracle, _ place: GraphPlace) {
    for object in going() {
      for cell in GraphCell.own(object) { made[cell] = .some(new.content(cell, place)) }
    }
  }

  private var turned: GraphRecord {
    GraphRecord(
      cells: cells.mapValues { Change(before: $0.after, after: $0.before) },
      lists: lists.mapValues { Order(before: $0.after, after: $0.before) })
  }

  /// The objects that come, or go, if it is taken back.
  func coming() -> [Int] { existing { $0.after != 1 && $0.before == 1 } }

  func going() -> [Int] { existing { $0.after == 1 && $0.before != 1 } }

  private func existing(_ isWanted: (Change) -> Bool) -> [Int] {
    cells.compactMap { cell, change in
      if case .exists(let object) = cell, isWanted(change) { object } else { nil }
    }
  }

  /// The objects that it is about.
  var objects: Set<Int> {
    Set(cells.flatMap { $0.key.objects($0.value.before) + $0.key.objects($0.value.after) })
  }
}

/// What a context could undo and redo, the newest last.
struct GraphRecords {
  var done: [GraphRecord] = []
  var undone: [GraphRecord] = []
}

extension GraphRecord {
  /// - Parameters:
  ///   - old: What all contexts have shown before.
  ///   - new: What they show now.
  init(_ old: GraphOracle, _ new: GraphOracle, _ place: GraphPlace) {
    let (a, b) = (old.layers[place]?.cells ?? [:], new.layers[place]?.cells ?? [:])
    for cell in Set(a.keys).union(b.keys) {
      let change = Change(before: old.content(cell, place), after: new.content(cell, place))
      if change.before != change.after { cells[cell] = change }
      if cell.leads, !cell.isLink, let before = change.before, change.after != before,
        !old.exists(before, place)
      {
        lost.insert(before)
      }
    }
    let orders = new.layers[place]?.orders.filter {
      old.layers[place]?.orders[$0.key]?.stamp != $0.value.stamp
    }
    let touched = Set(orders?.keys.map { $0 } ?? []).union(old.lists(of: self, place))
    for list in touched.union(new.lists(of: self, place)) {
      let order = Order(
        before: old.exists(list.owner, place) ? old.order(list, place) : [],
        after: new.exists(list.owner, place) ? new.order(list, place) : [])
      if order.before != order.after || order.before == nil { lists[list] = order }
    }
    noteMade(new, place)
    noteLinked(old, place)
  }
}

extension GraphOracle {
  /// The lists whose order what has changed can matter to.
  fileprivate func lists(of record: GraphRecord, _ place: GraphPlace) -> Set<GraphList> {
    var lists: Set<GraphList> = []
    for object in record.objects where exists(object, place) {
      switch kind(object) {
      case .node:
        lists.insert(GraphList(property: .parts, owner: object))
        for (reference, property) in [
          (GraphReference.whole, GraphProperty.parts), (.row, .rows), (.step, .steps),
        ] {
          if let owner = self.reference(.reference(reference, object), place) {
            lists.insert(GraphList(property: property, owner: owner))
          }
        }
        for mark in living(.mark, place) where isLinked(.ranking, object, mark, place) {
          lists.insert(GraphList(property: .ranking, owner: mark))
        }
      case .mark: lists.insert(GraphList(property: .ranking, owner: object))
      case .crate:
        lists.insert(GraphList(property: .rows, owner: object))
        lists.insert(GraphList(property: .steps, owner: object))
      default: continue
      }
    }
    return lists
  }
}
