import CauldronModel

/// Which saves were accepted or refused while their layers are looked at one after the other.
///
/// The layers of one save at one level are a unit: if one is refused, all are.
struct UnitVerdicts {
  private var refused: [ObjectIdentifier: CauldronError] = [:]
  private var accepted: Set<ObjectIdentifier> = []
  /// Whether a layer was refused after another one of the same save was accepted, or one that was
  /// accepted for its sake.
  private(set) var areTorn = false

  /// Throws why another layer of the same save was refused.
  func check(_ layer: Layer) throws(CauldronError) {
    guard !refused.isEmpty, let ticket = layer.ticket,
      let error = refused[ObjectIdentifier(ticket)]
    else { return }
    throw error
  }

  /// What goes the same way after a layer, as far as it was not refused.
  func standing(_ layers: ArraySlice<Layer>) -> LaterLayers {
    LaterLayers(layers: layers, refused: refused)
  }

  mutating func accept(_ layer: Layer) {
    if let ticket = layer.ticket { accepted.insert(ObjectIdentifier(ticket)) }
  }

  /// - Parameter isTrusted: Whether an earlier layer was accepted for the sake of this one.
  mutating func refuse(_ ticket: SaveTicket?, _ error: CauldronError, isTrusted: Bool = false) {
    guard let ticket else { return }
    if isTrusted { areTorn = true }
    if refused[ObjectIdentifier(ticket)] == nil { refused[ObjectIdentifier(ticket)] = error }
    if accepted.contains(ObjectIdentifier(ticket)) { areTorn = true }
  }

  /// The layers are looked at once more; what was refused stays refused.
  mutating func beginAnew() {
    accepted = []
    areTorn = false
  }
}

/// The layers of a save that come after one of them.
struct LaterLayers {
  private let layers: ArraySlice<Layer>
  private let refused: [ObjectIdentifier: CauldronError]

  /// None.
  init() { (layers, refused) = ([], [:]) }

  init(layers: ArraySlice<Layer>, refused: [ObjectIdentifier: CauldronError]) {
    self.layers = layers
    self.refused = refused
  }

  /// The last one for which something is true.
  /// - Complexity: O(layers).
  func last(where isMeant: (Layer) -> Bool) -> Layer? {
    layers.last { isMeant($0) && refused[$0.unit] == nil }
  }
}
