package import CauldronModel
import CauldronStore

/// Finds the one-to-one links of which a layer would change one end alone.
///
/// A one-to-one link is two references, each in a row of its own, and a conflict may take one of them
/// away. A link that is broken already, and that the layer does not touch, is not its fault.
struct PairCheck {
  private let layer: Layer
  /// What the layer is laid on.
  private let chain: LayerChain
  private let coordinator: PersistentStoreCoordinator
  private let mayRead: Bool
  /// What the same save brings after the layer.
  private let later: LaterLayers
  /// The links that would be half.
  private(set) var halves: [HalfPair] = []
  /// Links that are half until a later layer of the save, and are to be looked at again then.
  private(set) var promised: [HalfPair] = []
  /// Links of which only the store knows whether they are whole.
  private var open: [(link: HalfPair, isMade: Bool)] = []

  init(
    _ layer: Layer, on chain: LayerChain, before later: LaterLayers,
    _ coordinator: PersistentStoreCoordinator, mayRead: Bool
  ) {
    self.layer = layer
    self.later = later
    self.chain = chain
    self.coordinator = coordinator
    self.mayRead = mayRead
  }

  /// Looks at all ends that the layer changes.
  /// - Parameter open: Links that an earlier layer of the save has left half.
  /// - Complexity: O(changed ends · log layers); the store is asked, once for each entity, for partners
  ///   that no layer speaks of.
  mutating func run(promised: [HalfPair]) throws(CauldronError) {
    for link in promised where isHalf(link) { note(link) }
    for set in layer.changes.entities {
      let ends = set.entity.digest.oneToOnes
      if ends.isEmpty { continue }
      for row in set.inserted {
        for index in ends.indices { look(at: index, of: row, set.entity, was: nil) }
      }
      for update in set.updated {
        let isBack = coordinator.bringsBack(update, of: set.entity, over: chain)
        let changed = isBack ? ends : update.changed.intersection(ends)
        for index in changed.indices {
          look(at: index, of: update.row, set.entity, was: isBack ? nil : update.base)
        }
      }
    }
    try askStore()
  }

  /// Whether a link is half still.
  private func isHalf(_ link: HalfPair) -> Bool {
    guard case .partner(link.to.object.key) = inLayer(link.from) ?? above(link.from) else {
      return false
    }
    guard case .partner(let back)? = inLayer(link.to) ?? above(link.to) else { return false }
    return back != link.from.object.key
  }

  /// Notes a link that is half with the layer: it is refused, unless the save itself mends it.
  private mutating func note(_ link: HalfPair) {
    let leads = last(link.from).map { $0.leads(to: link.to) } ?? true
    let isLedBack = last(link.to).map { $0.leads(to: link.from) } ?? false
    if leads == isLedBack { promised.append(link) } else { halves.append(link) }
  }

  /// Where the save has an end lead in the end, as far as later layers speak of it.
  /// - Complexity: O(later layers); only for what is half.
  private func last(_ end: LinkedEnd) -> Known? {
    later.last { $0.unit == layer.unit && Known(end, in: $0) != nil }.flatMap { Known(end, in: $0) }
  }

  /// - Parameter base: What the receiver has; nil for a row that is not there yet.
  private mutating func look(
    at index: Int, of row: RowPointer, _ entity: EntityLayout, was base: RowPointer?
  ) {
    let after = row.isNull(index) ? nil : row.slot(index)
    let before = base.flatMap { $0.isNull(index) ? nil : $0.slot(index) }
    if before == after { return }
    let end = LinkedEnd(coordinator.id(row.key, of: entity), entity, index)
    // The partner that it leads to leads back, and its former partner does not.
    if after != nil, let far = end.far(in: row, coordinator) {
      judge(HalfPair(from: end, to: far), isMade: true)
    }
    if before != nil, let base, let far = end.far(in: base, coordinator) {
      judge(HalfPair(from: far, to: end), isMade: false)
    }
  }

  /// - Parameter isMade: Whether the layer has the near end lead there, so that the far end has to lead
  ///   back; false where it has led the far end elsewhere, so that the near end must not lead there.
  private mutating func judge(_ link: HalfPair, isMade: Bool) {
    let asked = isMade ? link.to : link.from
    switch inLayer(asked) ?? above(asked) {
    case .partner(let key): judge(link, isMade: isMade, key: key)
    case .gone: return
    case nil: open.append((link, isMade))
    }
  }

  private mutating func judge(_ link: HalfPair, isMade: Bool, key: Int64?) {
    let leads = key == (isMade ? link.from : link.to).object.key
    if leads != isMade { note(link) }
  }

  /// What is known of an end.
  private enum Known {
    /// The key that it leads to, if any.
    case partner(Int64?)
    /// There is no object that has it.
    case gone

    init(_ index: Int, in row: RowPointer) {
      self = .partner(row.isNull(index) ? nil : row.slot(index))
    }

    /// - Returns: Nil where the layer does not say where the end leads.
    init?(_ end: LinkedEnd, in layer: Layer) {
      switch layer.changes.change(end.object) {
      case .inserted(let row): self.init(end.index, in: row)
      case .deleted: self = .gone
      case .updated(let update):
        guard update.brings(end.index) else { return nil }
        self.init(end.index, in: update.row)
      case nil: return nil
      }
    }

    func leads(to end: LinkedEnd) -> Bool {
      if case .partner(end.object.key) = self { true } else { false }
    }
  }

  /// - Returns: Nil where the layer does not touch the object.
  private func inLayer(_ end: LinkedEnd) -> Known? {
    switch layer.changes.change(end.object) {
    case .inserted(let row): Known(end.index, in: row)
    // The row below was compared with the receiver's, or is when it is written.
    case .updated(let update):
      Known(end.index, in: update.brings(end.index) ? update.row : update.base)
    case .deleted: .gone
    case nil: nil
    }
  }

  /// - Returns: Nil where no layer speaks of the end.
  private func above(_ end: LinkedEnd) -> Known? {
    var known: Known?
    chain.forEachChange(of: end.object) { change in
      switch change {
      case .inserted(let row): known = Known(end.index, in: row)
      case .deleted: known = .gone
      case .updated(let update):
        if !update.changed.contains(end.index) {
          guard update.isRestored, case .gone = known else { return }
        }
        // A reference that a delete rule has cleared, and another edit has led elsewhere, leads there.
        if update.nullified.contains(end.index), case .partner(let key?) = known,
          key != update.base.slot(end.index)
        {
          return
        }
        known = Known(end.index, in: update.row)
      }
    }
    if known == nil, coordinator.keys.isUncommitted(end.object.key, root: end.entity.rootNumber) {
      return .gone
    }
    return known
  }

  /// Judges the rest by the committed rows. With the ledger locked that is left to the commit.
  private mutating func askStore() throws(CauldronError) {
    guard mayRead, !open.isEmpty else { return }
    var keys: [Int32: (EntityLayout, Set<Int64>)] = [:]
    for (link, isMade) in open {
      let end = isMade ? link.to : link.from
      keys[end.entity.rootNumber, default: (end.entity.root, [])].1.insert(end.object.key)
    }
    var rows: [Int32: [Int64: HeldRow]] = [:]
    do {
      for (root, (entity, keys)) in keys {
        for row in try coordinator.storedRows(Array(keys), of: entity) {
          rows[root, default: [:]][row.row.key] = row
        }
      }
    } catch {
      throw CauldronError.wrap(error)
    }
    for (link, isMade) in open {
      let end = isMade ? link.to : link.from
      guard let row = rows[end.entity.rootNumber]?[end.object.key]?.row else { continue }
      judge(link, isMade: isMade, key: row.isNull(end.index) ? nil : row.slot(end.index))
    }
  }
}

/// A link that one end knows of, and the other one not.
package struct HalfPair {
  package let from: LinkedEnd
  package let to: LinkedEnd
}

/// One end of a one-to-one relationship.
package struct LinkedEnd {
  package let object: ManagedObjectID
  package let entity: EntityLayout
  /// The property's index.
  package let index: Int

  init(_ object: ManagedObjectID, _ entity: EntityLayout, _ index: Int) {
    self.object = object
    self.entity = entity
    self.index = index
  }

  package var name: String { entity.properties[index].name }

  /// The end that this one leads to in a row; nil where it leads nowhere.
  package func far(in row: RowPointer, _ coordinator: PersistentStoreCoordinator) -> LinkedEnd? {
    let property = entity.properties[index]
    guard let destination = property.destination, !row.isNull(index) else { return nil }
    let number = property.entitySlot.map { Int32(truncatingIfNeeded: row.slot($0)) }
    let entity =
      number.flatMap { coordinator.managedObjectModel.layout(number: $0) } ?? destination.entity
    return LinkedEnd(coordinator.id(row.slot(index), of: entity), entity, destination.inverse)
  }
}
