import CauldronModel

// What children have saved into a context was validated there. Here it meets what others have saved,
// and the objects of this context.
extension ContextCore {
  /// Validates what children have brought: the objects that this context has by their own code, and the
  /// to-many relationships whose counts several children may have changed. What is refused goes back to
  /// where it was made, with the rest of its save: the newest that has a part in what is wrong, and then
  /// all is looked at once more.
  /// - Parameter ownStays: Whether what the context has not saved stays where it is.
  /// - Returns: Whether something was refused.
  func validateBrought(_ run: SaveRun, ownStays: Bool) throws(CauldronError) -> Bool {
    var isRefused = false
    while true {
      let layers = coordinator.ledger.layers(of: node)
      let brought = layers.filter { $0.origin !== node && $0.ticket != nil }
      run.validated = coordinator.classes.anyValidates ? Set(layers.map(\.firstNumber)) : nil
      if brought.isEmpty { return isRefused }
      let objections = hookProblems(brought, ownStays: ownStays)
      if objections.isEmpty {
        let refused = try miscounted(layers, brought, ownStays: ownStays)
        if refused.isEmpty || !giveBack(refused, brought, run) { return isRefused }
      } else if !giveBack(objections, brought, run, ownStays: ownStays) {
        return isRefused
      }
      isRefused = true
    }
  }

  /// Returns the newest save that objects say something against, and then each older one that they
  /// still say something against: what went back may have been what was wrong.
  /// - Returns: Whether there was anything that could go.
  private func giveBack(
    _ objections: [HookProblem], _ brought: [Layer], _ run: SaveRun, ownStays: Bool
  ) -> Bool {
    var wentBack: Set<ObjectIdentifier> = []
    for objection in objections {
      let error =
        wentBack.isEmpty
        ? objection.error : hookError(objection, brought, without: wentBack, ownStays: ownStays)
      guard let error else { continue }
      if !giveBack([objection.unit: error], brought, run) { break }
      wentBack.insert(objection.unit)
    }
    return !wentBack.isEmpty
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

  /// Finds the relationships that children together have made lead to too many or too few objects, and
  /// the newest save that had a part in it.
  private func miscounted(
    _ layers: [Layer], _ brought: [Layer], ownStays: Bool
  ) throws(CauldronError) -> [ObjectIdentifier: CauldronError] {
    let wrong = try miscounts(ownStays ? brought : layers, isWhole: true, ownStays: ownStays)
    if wrong.isEmpty { return [:] }
    let tallies = brought.map { ($0, CountTally([$0.changes])) }
    var refused: [ObjectIdentifier: CauldronError] = [:]
    for miscount in wrong {
      let parts = tallies.compactMap { layer, tally in
        tally.changes[miscount.place].map { (layer, $0) }
      }
      let newest = parts.last { $1.leads(to: miscount.failure) } ?? parts.last { $1.isDoubtful }
      guard let (layer, _) = newest, refused[layer.unit] == nil else { continue }
      refused[layer.unit] = miscount.error
    }
    return refused
  }
}
