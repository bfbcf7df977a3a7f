package import CauldronModel
import CauldronStore

/// Takes out of a context's own layers, which stay behind, what newer layers of the same context have
/// changed and taken ahead: these were made in view of the older edit, and stand.
package struct LeftBehind {
  /// What an object is not edited in any more.
  package struct Loss {
    package let entity: EntityLayout
    package let key: Int64
    package let properties: PropertySet
  }

  /// The positions of the layers as they lay, by their first numbers.
  private let positions: [UInt64: Int]
  private let ahead: [Layer]
  private let ledger: ChangeLedger
  private var builder = RowBuilder()
  package private(set) var losses: [Loss] = []

  /// - Parameters:
  ///   - order: The first numbers of all layers, as they lay.
  ///   - ahead: Those that have gone ahead, as they were accepted.
  init(_ ledger: ChangeLedger, order: [UInt64], ahead: [Layer]) {
    self.ledger = ledger
    self.ahead = ahead
    positions = Dictionary(
      order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What is left of a layer; the layer itself where nothing newer has gone ahead of it.
  package mutating func rest(of layer: Layer) -> Layer {
    guard let position = positions[layer.firstNumber] else { return layer }
    let newer = ahead.filter { positions[$0.firstNumber].map { $0 > position } ?? false }
    if newer.isEmpty { return layer }
    let lost = ends(of: layer, with: overtaken(layer, by: newer))
    if lost.isEmpty { return layer }
    let sets = layer.changes.entities.map { rest(of: $0, losing: lost, to: newer) }
      .filter { $0.count > 0 }
    return layer.with(
      changes: ChangeSet(id: ledger.changeSetID(), entities: sets, from: [layer.changes]))
  }

  /// The properties that newer layers have changed, by object.
  private func overtaken(_ layer: Layer, by newer: [Layer]) -> [Place: PropertySet] {
    var lost: [Place: PropertySet] = [:]
    for set in layer.changes.entities where !set.entity.isJoin && !set.updated.isEmpty {
      let others = newer.compactMap { $0.changes.changes(to: set.entity.number) }
      if others.isEmpty { continue }
      for update in set.updated {
        var properties = PropertySet()
        for other in others {
          switch other.change(update.row.key) {
          case .updated(let newer): properties.formUnion(newer.changed.intersection(update.changed))
          case .deleted, .inserted: properties = update.changed
          case nil: continue
          }
        }
        if !properties.isEmpty { lost[Place(set.entity, update.row.key)] = properties }
      }
    }
    return lost
  }

  /// Adds the ends of one-to-one links that were edited with those that are lost: half a link is none.
  private func ends(
    of layer: Layer, with lost: [Place: PropertySet]
  ) -> [Place: PropertySet] {
    var (all, waiting) = (lost, lost)
    while let (place, properties) = waiting.popFirst() {
      guard let set = layer.changes.changes(to: place.entity),
        case .updated(let update)? = set.change(place.key)
      else { continue }
      for index in set.entity.digest.oneToOnes.intersection(properties).indices {
        guard let target = set.entity.properties[index].destination else { continue }
        for row in [update.base, update.row] where !row.isNull(index) {
          for entity in target.entity.family.map(\.entity) {
            let partner = Place(entity, row.slot(index))
            guard changes(partner, at: target.inverse, in: layer),
              all[partner]?.contains(target.inverse) != true
            else { continue }
            all[partner, default: PropertySet()].insert(target.inverse)
            waiting[partner, default: PropertySet()].insert(target.inverse)
          }
        }
      }
    }
    return all
  }

  private func changes(_ place: Place, at index: Int, in layer: Layer) -> Bool {
    let change = layer.changes.changes(to: place.entity)?.change(place.key)
    if case .updated(let update)? = change { return update.changed.contains(index) }
    return false
  }

  private mutating func rest(
    of set: EntityChanges, losing lost: [Place: PropertySet], to newer: [Layer]
  ) -> EntityChanges {
    let others = newer.compactMap { $0.changes.changes(to: set.entity.number) }
    var updated: [RowUpdate] = []
    var held = RowMemory()
    for update in set.updated {
      guard let properties = lost[Place(set.entity, update.row.key)] else {
        updated.append(update)
        continue
      }
      losses.append(Loss(entity: set.entity, key: update.row.key, properties: properties))
      let rest = update.changed.subtracting(properties)
      if rest.isEmpty { continue }
      let base = newest(update.base, of: others, properties: properties, entity: set.entity)
      let row = builder.merge(rest, from: update.row, onto: base, set.entity)
      row.setVersion(base.nextVersion)
      let first = newest(update.first, of: others, properties: properties, entity: set.entity)
      for row in [base, row, first] { held.keep(row) }
      updated.append(
        RowUpdate(
          row: row, base: base, changed: rest, first: update.first == update.base ? base : first,
          nullified: update.nullified.intersection(rest), alone: update.alone,
          isRestored: update.isRestored))
    }
    return withExtendedLifetime(held) {
      EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
  }

  /// A row with what newer layers have made of lost properties.
  private mutating func newest(
    _ row: RowPointer, of others: [EntityChanges], properties: PropertySet, entity: EntityLayout
  ) -> RowPointer {
    var result = row
    for other in others {
      guard case .updated(let update)? = other.change(row.key) else { continue }
      let changed = update.changed.intersection(properties)
      if !changed.isEmpty {
        result = builder.merge(changed, from: update.row, onto: result, entity)
      }
    }
    return result
  }

  private struct Place: Hashable {
    let entity: Int32
    let key: Int64

    init(_ entity: EntityLayout, _ key: Int64) { (self.entity, self.key) = (entity.number, key) }
  }
}
