import CauldronModel

// What children have saved into a context was validated there. Here it meets what others have saved,
// and the objects of this context.
extension ContextCore {
  /// Validates what children have brought: the objects that this context has by their own code, and the
  /// to-many relationships whose counts several children may have changed. What is refused goes back to
  /// where it was made, with the rest of its save.
  func validateBrought(_ run: SaveRun) throws(CauldronError) {
    while true {
      let layers = coordinator.ledger.layers(of: node)
      let brought = layers.filter { $0.origin !== node && $0.ticket != nil }
      if brought.isEmpty { return }
      var refused = hookProblems(brought)
      if refused.isEmpty { refused = try miscounted(layers, brought) }
      if refused.isEmpty || !giveBack(refused, brought, run) { return }
    }
  }

  /// Returns saves to the contexts that made them.
  /// - Returns: Whether there was anything that could go.
  private func giveBack(
    _ refused: [ObjectIdentifier: CauldronError], _ brought: [Layer], _ run: SaveRun
  ) -> Bool {
    // A save answers for what it finds where it begins.
    if run.step == 0 { run.carry(brought.filter { refused[$0.unit] != nil }, own: []) }
    let returned = coordinator.ledger.giveBack(node) { refused[$0.unit] != nil }
    let failures = returned.compactMap { layer in refused[layer.unit].map { (layer, $0) } }
    coordinator.announceReturns(logReturned(failures, run, in: node))
    catchUp()
    return !returned.isEmpty
  }

  /// What objects of this context say against what children have brought.
  private func hookProblems(_ brought: [Layer]) -> [ObjectIdentifier: CauldronError] {
    let classes = coordinator.classes
    guard classes.anyValidates, identity.count > 0 else { return [:] }
    var refused: [ObjectIdentifier: CauldronError] = [:]
    for layer in brought where refused[layer.unit] == nil {
      refused[layer.unit] = hookProblem(layer, classes)
    }
    return refused
  }

  private func hookProblem(_ layer: Layer, _ classes: ObjectClassTable) -> CauldronError? {
    var problems = ValidationProblems()
    for set in layer.changes.entities where classes.validates(set.entity.number) {
      for (object, kind) in identity.objects(touchedBy: set)
      where object.state.isDisjoint(with: [.inserted, .updated]) {
        let phase: ObjectState =
          switch kind {
          case .insertion: .inserted
          case .update: .updated
          case .deletion: .deleted
          }
        for error in object.validationErrors(phase, changed: set.changedNames(object.key)) {
          problems.add([object.objectID]) { error }
        }
      }
    }
    return problems.error
  }

  /// Finds the relationships that children together have made lead to too many or too few objects, and
  /// the newest save that had a part in it.
  private func miscounted(
    _ layers: [Layer], _ brought: [Layer]
  ) throws(CauldronError) -> [ObjectIdentifier: CauldronError] {
    var refused: [ObjectIdentifier: CauldronError] = [:]
    for miscount in try miscounts(layers, isWhole: true) {
      let culprit = brought.last { CountTally([$0]).changes[miscount.place]?.isDoubtful == true }
      if let culprit { refused[culprit.unit] = miscount.error }
    }
    return refused
  }
}

extension EntityChanges {
  /// The names of the properties that were changed of a row; nil for a new one, of which all were.
  fileprivate func changedNames(_ key: Int64) -> [String]? {
    guard case .updated(let update) = change(key) else { return nil }
    return update.changed.indices.map { entity.properties[$0].name }
  }
}
