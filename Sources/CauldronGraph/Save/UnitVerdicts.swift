import CauldronModel

/// Which saves were accepted or refused while their layers are looked at one after the other.
///
/// The layers of one save at one level are a unit: if one is refused, all are.
struct UnitVerdicts {
  private var refused: [ObjectIdentifier: CauldronError] = [:]
  private var accepted: Set<ObjectIdentifier> = []
  /// Whether a layer was refused after another one of the same save was accepted.
  private(set) var areTorn = false

  /// Throws why another layer of the same save was refused.
  func check(_ layer: Layer) throws(CauldronError) {
    guard !refused.isEmpty, let ticket = layer.ticket,
      let error = refused[ObjectIdentifier(ticket)]
    else { return }
    throw error
  }

  mutating func accept(_ layer: Layer) {
    if let ticket = layer.ticket { accepted.insert(ObjectIdentifier(ticket)) }
  }

  mutating func refuse(_ ticket: SaveTicket?, _ error: CauldronError) {
    guard let ticket else { return }
    if refused[ObjectIdentifier(ticket)] == nil { refused[ObjectIdentifier(ticket)] = error }
    if accepted.contains(ObjectIdentifier(ticket)) { areTorn = true }
  }

  /// The layers are looked at once more; what was refused stays refused.
  mutating func beginAnew() {
    accepted = []
    areTorn = false
  }
}
