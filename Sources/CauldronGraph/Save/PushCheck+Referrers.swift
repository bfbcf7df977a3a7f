import CauldronModel
import CauldronQuery
import CauldronStore

// Nothing may refer to what is deleted, unless the same push takes the reference away, or the rule
// is to do nothing.
extension PushCheck {
  /// How many deleted objects' referrers one statement reads.
  private static let batch = 512

  mutating func judgeReferrers(
    _ layer: Layer, _ reads: Bool, _ verdict: inout ReferenceVerdict
  ) throws(CauldronError) {
    for set in layer.changes.entities where !set.deleted.isEmpty {
      let above = layersAbove(referringTo: set)
      for property in set.entity.digest.relationships where property.deleteRule != .noAction {
        guard let destination = property.destination else { continue }
        let inverse = destination.entity.properties[destination.inverse]
        guard inverse.kind == .toOne else { continue }
        for (other, keys) in above {
          judge(other, keys, inverse, destination.entity, set, layer, &verdict)
        }
        if reads { try judgeStored(inverse, destination.entity, set, layer, &verdict) }
      }
    }
  }

  /// The layers above that make references lead to what is deleted, each with the keys.
  private func layersAbove(referringTo set: EntityChanges) -> [(Layer, [Int64])] {
    let root = set.entity.rootNumber
    var result: [(Layer, [Int64])] = []
    var places: [ObjectIdentifier: Int] = [:]
    for run in chain.runs {
      for deletion in set.deleted {
        for layer in run.layers(referringTo: deletion.key, root: root) {
          if let place = places[ObjectIdentifier(layer)] {
            result[place].1.append(deletion.key)
          } else {
            places[ObjectIdentifier(layer)] = result.count
            result.append((layer, [deletion.key]))
          }
        }
      }
    }
    return result
  }

  private mutating func judge(
    _ above: Layer, _ keys: [Int64], _ inverse: PropertyLayout, _ entity: EntityLayout,
    _ set: EntityChanges, _ layer: Layer, _ verdict: inout ReferenceVerdict
  ) {
    let values = keys.map { AttributeScalar.integer($0) }
    for other in above.changes.entities where other.entity.isKind(of: entity) {
      for key in Set(other.keys(where: inverse, in: values) ?? []) {
        let row = row(id(key, other.entity), other.entity, layer)
        judge(row, other.entity, inverse, set, &verdict)
      }
    }
  }

  /// What the store has, other processes' rows among them.
  private mutating func judgeStored(
    _ inverse: PropertyLayout, _ entity: EntityLayout, _ set: EntityChanges, _ layer: Layer,
    _ verdict: inout ReferenceVerdict
  ) throws(CauldronError) {
    var rest = set.deleted[...]
    while !rest.isEmpty {
      let keys = Set(rest.prefix(Self.batch).map(\.key))
      rest = rest.dropFirst(Self.batch)
      for stored in try storedReferrers(keys, inverse, entity) {
        guard let own = coordinator.managedObjectModel.layout(number: stored.row.entityNumber)
        else { continue }
        let id = id(stored.row.key, own)
        let isPending = layer.changes.change(id) != nil || chain.newest(id) != nil
        judge(isPending ? row(id, own, layer) : keep(stored), own, inverse, set, &verdict)
      }
    }
  }

  private func storedReferrers(
    _ keys: Set<Int64>, _ property: PropertyLayout, _ entity: EntityLayout
  ) throws(CauldronError) -> [HeldRow] {
    do {
      return try coordinator.storedReferrers(to: keys, by: property, of: entity)
    } catch {
      throw CauldronError.wrap(error)
    }
  }

  /// A row as it will be; nil where there will be none.
  private mutating func row(
    _ id: ManagedObjectID, _ entity: EntityLayout, _ layer: Layer
  ) -> RowPointer? {
    if let change = layer.changes.change(id) { return change.row }
    return receiver(id, entity)
  }

  private mutating func judge(
    _ row: RowPointer?, _ entity: EntityLayout, _ inverse: PropertyLayout,
    _ set: EntityChanges, _ verdict: inout ReferenceVerdict
  ) {
    guard let row, !row.isNull(inverse.index),
      case .deleted = set.change(row.slot(inverse.index)),
      let reference = reference(row, entity, entity.properties[inverse.index])
    else { return }
    if passes(reference, &verdict) { return }
    verdict.judge(reference, CauldronError.stillReferenced)
  }
}

extension PersistentStoreCoordinator {
  /// The committed rows that refer to objects, as the store has them.
  fileprivate func storedReferrers(
    to keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> [HeldRow] {
    let reader = try store.reader()
    defer { reader.finish() }
    var query = StoreQuery(entity: entity)
    query.predicate = .refersTo(property, keys)
    return try reader.fetch(query).map(\.held)
  }
}
