import CauldronModel

/// What became of a push.
struct PushOutcome {
  /// The layers that are in the parent now.
  var accepted: [Layer] = []
  /// Those of them that were combined with what came in meanwhile, as they were before.
  var adapted: [Layer] = []
  /// Those of them that lie on other rows than they were made from, as they were before.
  var remade: [Layer] = []
  /// New objects that turned out to be others.
  var exchanges: [ProvisionalKeys.Exchange] = []
  /// What policies have decided, for the saves that it concerns.
  var resolutions: [(SaveTicket, [SaveResolution])] = []
  /// Own layers that were refused and stay where they are.
  var refused: [(Layer, CauldronError)] = []
  /// Layers of others that were refused and go back to where they came from.
  var returned: [(Layer, CauldronError)] = []

  /// - Parameters:
  ///   - isNoticed: Whether objects that have the layer's values must look at what became of them.
  ///   - resolutions: What the merge policy has decided about it.
  mutating func accept(
    _ checked: Layer, insteadOf layer: Layer, isNoticed: Bool, _ resolutions: [SaveResolution]
  ) {
    accepted.append(checked)
    if checked.changes !== layer.changes { remade.append(layer) }
    if isNoticed { adapted.append(layer) }
    if let ticket = checked.ticket, !resolutions.isEmpty {
      self.resolutions.append((ticket, resolutions))
    }
  }

  mutating func refuse(_ layer: Layer, _ error: CauldronError) {
    if layer.ticket == nil {
      refused.append((layer, error))
    } else {
      returned.append((layer, error))
    }
  }
}
