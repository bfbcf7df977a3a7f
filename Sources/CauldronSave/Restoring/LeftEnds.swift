import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore

/// The ends of one-to-one links that an undo leaves as they are, because a child has saved a link there since.
///
/// A link is restored whole or not at all: where one end is left, so are those that the same step has changed with
/// it. An end that led to a former partner is left, too, where the child has led that partner elsewhere.
struct LeftEnds {
  private struct End: Hashable {
    let id: ManagedObjectID
    let index: Int
  }

  private var left: Set<End> = []

  init(_ edits: [Restoration.Edit], in core: ContextCore, names: UndoNames) {
    /// The ends that the step has changed, with the ends of their partners before and after it.
    var neighbours: [End: [End]] = [:]
    for edit in edits {
      let id = names.current(edit.id, follow: core.keys.followed)
      guard let layout = core.coordinator.layout(id) else { continue }
      for index in edit.properties.intersection(layout.digest.oneToOnes).indices {
        let property = layout.properties[index]
        guard let inverse = property.destination?.inverse else { continue }
        func end(_ row: RowPointer) -> End? {
          UndoPlanner(core).reference(in: row, through: property, names: names)
            .map { End(id: $0, index: inverse) }
        }
        let own = End(id: id, index: index)
        let partners = [end(edit.from), end(edit.to)].compactMap { $0 }
        neighbours[own] = partners
        if Self.isSaved(own, in: core) || end(edit.to).map({ Self.isSaved($0, in: core) }) == true {
          left.insert(own)
        }
      }
    }
    spread(among: neighbours)
  }

  /// - Complexity: O(ends²) in the worst case; nothing where no end is left.
  private mutating func spread(among neighbours: [End: [End]]) {
    var waiting = Array(left)
    while let end = waiting.popLast() {
      let next = (neighbours[end] ?? []) + neighbours.lazy.filter { $1.contains(end) }.map(\.key)
      for other in next where neighbours[other] != nil && left.insert(other).inserted {
        waiting.append(other)
      }
    }
  }

  private static func isSaved(_ end: End, in core: ContextCore) -> Bool {
    core.keys.registeredObject(end.id).map { isSavedByChild($0, at: end.index, in: core) } ?? false
  }

  /// The ends of an object that are left.
  func of(_ object: ManagedObject) -> PropertySet {
    if left.isEmpty { return PropertySet() }
    let ends = left.filter { $0.id == object.registeredID }
    return PropertySet(ends.map(\.index))
  }

  /// Whether a child has saved the newest value of a property into the context.
  static func isSavedByChild(
    _ object: ManagedObject, at index: Int, in core: ContextCore
  ) -> Bool {
    let id = object.registeredID
    let newest = core.coordinator.ledger.layers(of: core.node).last { layer in
      switch layer.changes.change(id) {
      case .updated(let update): update.changed.contains(index)
      case .inserted: true
      case .deleted, nil: false
      }
    }
    return newest.map { $0.origin !== core.node } ?? false
  }
}
