import CauldronModel
import CauldronStore

/// Which saves were accepted or refused while their layers are looked at one after the other.
///
/// The layers of one save at one level are a unit: if one is refused, all are.
struct UnitVerdicts {
  private var refused: [ObjectIdentifier: CauldronError] = [:]
  private var accepted: Set<ObjectIdentifier> = []
  /// Whether a layer was refused after another one of the same save was accepted, or one that was
  /// accepted for its sake; or an object's changes were dropped that another one has changed, too.
  private(set) var areTorn = false
  /// Whether what was dropped may have been decided about a layer that is refused.
  private var mayBeVoid = false
  /// The layers by save; made where a policy has dropped something.
  private var units: [ObjectIdentifier: [Layer]]?
  /// The objects of which a policy has dropped all that a save has changed, by save.
  private var dropped: [ObjectIdentifier: Set<ManagedObjectID>] = [:]

  /// Throws why another layer of the same save was refused.
  func check(_ layer: Layer) throws(CauldronError) {
    guard !refused.isEmpty, let ticket = layer.ticket,
      let error = refused[ObjectIdentifier(ticket)]
    else { return }
    throw error
  }

  /// What goes the same way after a layer, as far as it was not refused.
  /// - Parameter layer: The layer, of whose save policies may have dropped something.
  func standing(_ layers: ArraySlice<Layer>, after layer: Layer) -> LaterLayers {
    LaterLayers(layers: layers, refused: refused, dropped: dropped(by: layer))
  }

  mutating func accept(_ layer: Layer) {
    if let ticket = layer.ticket { accepted.insert(ObjectIdentifier(ticket)) }
  }

  /// - Parameter isTrusted: Whether an earlier layer was accepted for the sake of this one.
  mutating func refuse(_ ticket: SaveTicket?, _ error: CauldronError, isTrusted: Bool = false) {
    guard let ticket else { return }
    if refused[ObjectIdentifier(ticket)] == nil { refused[ObjectIdentifier(ticket)] = error }
    if isTrusted || accepted.contains(ObjectIdentifier(ticket)) {
      (areTorn, mayBeVoid) = (true, true)
    }
  }

  /// The objects of which a layer's save changes nothing, because of what a policy has decided about another
  /// layer of it.
  private func dropped(by layer: Layer) -> Set<ManagedObjectID> {
    dropped.isEmpty ? [] : dropped[layer.unit] ?? []
  }

  /// A policy has dropped all that a layer has changed of some objects. That holds for the whole save.
  /// - Parameter layers: All layers, as they were saved.
  mutating func drop(_ ids: Set<ManagedObjectID>, of layer: Layer, among layers: [Layer]) {
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
  mutating func beginAnew() {
    if mayBeVoid { dropped = [:] }
    (accepted, areTorn, mayBeVoid) = ([], false, false)
  }
}

/// The layers of a save that come after one of them.
struct LaterLayers {
  private let layers: ArraySlice<Layer>
  private let refused: [ObjectIdentifier: CauldronError]

  /// The objects of which the save changes nothing, because of what a policy has decided about another layer.
  let dropped: Set<ManagedObjectID>

  /// None.
  init() { (layers, refused, dropped) = ([], [:], []) }

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
  func last(where isMeant: (Layer) -> Bool) -> Layer? {
    layers.last { isMeant($0) && refused[$0.unit] == nil }
  }
}
