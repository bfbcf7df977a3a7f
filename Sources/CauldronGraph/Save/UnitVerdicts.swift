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
      let error = refused[ticket.unit]
    else { return }
    throw error
  }

  mutating func accept(_ layer: Layer) {
    if let ticket = layer.ticket { accepted.insert(ticket.unit) }
  }

  mutating func refuse(_ ticket: SaveTicket?, _ error: CauldronError) {
    guard let ticket else { return }
    if refused[ticket.unit] == nil { refused[ticket.unit] = error }
    if accepted.contains(ticket.unit) { areTorn = true }
  }

  /// The layers are looked at once more; what was refused stays refused.
  mutating func beginAnew() {
    accepted = []
    areTorn = false
  }
}
