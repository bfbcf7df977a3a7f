package import CauldronModel
import CauldronStore

/// Layers on their way to one receiver, judged in their order.
///
/// The layers of one save at one level are a unit: if one is refused, all are.
package struct SaveUnits {
  /// What became of layers, in their order, and which new objects have become others.
  package struct Verdict {
    package let results: [Result<CheckedLayer, CauldronError>]
    package let exchanges: [ProvisionalKeys.Exchange]
  }

  /// The layers as they were saved, oldest first.
  private let layers: [Layer]
  private var refused: [ObjectIdentifier: CauldronError] = [:]
  private var accepted: Set<ObjectIdentifier> = []
  /// Whether a layer was refused after another one of the same save was accepted, or one that was
  /// accepted for its sake; or an object's changes were dropped that another one has changed, too.
  private var areTorn = false
  /// Whether what was dropped may have been decided about a layer that is refused.
  private var mayBeVoid = false
  /// The layers by save; made where a policy has dropped something.
  private var units: [ObjectIdentifier: [Layer]]?
  /// The objects of which a policy has dropped all that a save has changed, by save.
  private var dropped: [ObjectIdentifier: Set<ManagedObjectID>] = [:]

  package init(_ layers: [Layer]) { self.layers = layers }

  /// Refuses all layers of a save.
  package mutating func refuse(_ ticket: SaveTicket, because error: CauldronError) {
    if refused[ObjectIdentifier(ticket)] == nil { refused[ObjectIdentifier(ticket)] = error }
  }

  /// Judges all layers, until those of each save share one verdict.
  /// - Parameters:
  ///   - readsReferences: Whether the store is asked about the references of the layer at a position.
  ///   - cause: What a layer is refused for instead of an error, by its position, and by whether one before it
  ///     was refused.
  ///   - stops: Whether a refusal of the layer at a position ends it all; there are results up to it.
  ///   - makeCheck: Makes what compares the layers; called once for each round.
  package mutating func judged(
    readsReferences: (Int) -> Bool = { _ in false },
    cause: (Int, Bool) -> CauldronError? = { _, _ in nil }, stops: (Int) -> Bool = { _ in false },
    by makeCheck: () -> PushCheck
  ) -> Verdict {
    while true {
      var check = makeCheck()
      var results: [Result<CheckedLayer, CauldronError>] = []
      var hasRefused = false
      for position in layers.indices {
        do throws(CauldronError) {
          results.append(
            .success(try judged(position, readsReferences: readsReferences(position), by: &check)))
        } catch {
          let error = cause(position, hasRefused) ?? error
          hasRefused = true
          results.append(.failure(error))
          if stops(position) { return Verdict(results: results, exchanges: check.exchanges) }
          refuse(layers[position], because: error, by: check)
        }
      }
      if !areTorn { return Verdict(results: results, exchanges: check.exchanges) }
      beginAnew()
    }
  }

  private mutating func judged(
    _ position: Int, readsReferences: Bool, by check: inout PushCheck
  ) throws(CauldronError) -> CheckedLayer {
    let layer = layers[position]
    if !refused.isEmpty, let ticket = layer.ticket, let error = refused[ObjectIdentifier(ticket)] {
      throw error
    }
    let later = LaterLayers(
      layers: layers[(position + 1)...], refused: refused, dropped: dropped(by: layer))
    let checked = try check.check(layer, before: later, readsReferences: readsReferences)
    if let ticket = layer.ticket { accepted.insert(ObjectIdentifier(ticket)) }
    drop(checked.droppedObjects, of: layer)
    return checked
  }

  private mutating func refuse(_ layer: Layer, because error: CauldronError, by check: PushCheck) {
    check.doubt(layer)
    guard let ticket = layer.ticket else { return }
    refuse(ticket, because: error)
    if check.trusts(layer) || accepted.contains(ObjectIdentifier(ticket)) {
      (areTorn, mayBeVoid) = (true, true)
    }
  }

  /// The objects of which a layer's save changes nothing, because of what a policy has decided about another
  /// layer of it.
  private func dropped(by layer: Layer) -> Set<ManagedObjectID> {
    dropped.isEmpty ? [] : dropped[layer.unit] ?? []
  }

  /// Notes objects of which a policy has dropped all changes of a layer. That holds for the whole save.
  private mutating func drop(_ ids: Set<ManagedObjectID>, of layer: Layer) {
    let new = ids.subtracting(dropped(by: layer))
    if new.isEmpty { return }
    let units = units ?? Dictionary(grouping: layers, by: \.unit)
    self.units = units
    let others = (units[layer.unit] ?? []).filter { $0 !== layer }
    let shared = new.filter { id in others.contains { $0.changes.change(id) != nil } }
    if shared.isEmpty { return }
    dropped[layer.unit, default: []].formUnion(shared)
    areTorn = true
  }

  /// The layers are looked at once more. What was refused stays refused, and what was dropped is dropped,
  /// unless an accepted layer was refused after all: without it there may be no conflict.
  private mutating func beginAnew() {
    if mayBeVoid { dropped = [:] }
    (accepted, areTorn, mayBeVoid) = ([], false, false)
  }
}

/// The layers of a save that come after one of them.
package struct LaterLayers {
  private let layers: ArraySlice<Layer>
  private let refused: [ObjectIdentifier: CauldronError]

  /// The objects of which the save changes nothing, because of what a policy has decided about another layer.
  package let dropped: Set<ManagedObjectID>

  init(
    layers: ArraySlice<Layer>, refused: [ObjectIdentifier: CauldronError],
    dropped: Set<ManagedObjectID>
  ) {
    self.layers = layers
    self.refused = refused
    self.dropped = dropped
  }

  /// The last one for which something is true.
  /// - Complexity: O(layers).
  package func last(where isMeant: (Layer) -> Bool) -> Layer? {
    layers.last { isMeant($0) && refused[$0.unit] == nil }
  }

  /// The layer that brings an object back which a layer before deletes; nil where the object stays deleted.
  /// - Complexity: O(layers).
  func restoring(_ id: ManagedObjectID) -> Layer? {
    if dropped.contains(id) { return nil }
    let layer = layers.first { refused[$0.unit] == nil && $0.changes.change(id) != nil }
    guard case .updated(let update)? = layer?.changes.change(id), update.isRestored else {
      return nil
    }
    return layer
  }

  /// The properties of an object that the layers change.
  /// - Complexity: O(layers).
  func changedProperties(of id: ManagedObjectID) -> PropertySet {
    layers.reduce(into: PropertySet()) { properties, layer in
      guard refused[layer.unit] == nil, case .updated(let update)? = layer.changes.change(id)
      else { return }
      properties.formUnion(update.changed)
    }
  }
}
