import CauldronModel

extension ManagedObject {
  /// Asks what a save would ask of this object, and saves nothing: for a form that tells of mistakes
  /// while somebody fills it in.
  ///
  /// ```swift
  /// do { try item.validateForSave() } catch let error as CauldronError { show(error.details) }
  /// ```
  /// What the class validates by code of its own runs, and may change objects; then come the rules and
  /// counts that the model declares, or the delete rules of a deleted object. Nothing is asked of what
  /// the context itself has not changed. Inside of a hook it throws.
  /// - Throws: The error that a save would throw for this object alone; `validation.…`.
  public final func validateForSave() throws {
    _check()
    try core._withUnsafeGuaranteedRef { core in
      if let error = try core.problem(of: self) { throw error }
    }
  }
}

extension ContextCore {
  /// What is wrong with an object, as a save would find it.
  fileprivate func problem(of object: ManagedObject) throws(CauldronError) -> CauldronError? {
    try checkNoHookRuns()
    publish()
    let found = try runOwnHooks([object], only: object)
    let id = object.registeredID
    var problems = ValidationProblems()
    for denial in denials(of: [object]) { problems.add(denial.objectIDs) { denial } }
    found.add(to: &problems)
    let layers = coordinator.ledger.layers(of: node)
    let own = layers.filter { $0.isUnsaved(of: node) }
    Validation.check(own, among: layers, storeNumber: coordinator.storeNumber, only: id, &problems)
    let wrong = try miscounts(own, isWhole: own.count == layers.count) {
      $0.key == id.key && $0.root == object.layout.rootNumber
    }
    for miscount in wrong { problems.add([miscount.id]) { miscount.error } }
    return problems.error?.with { $0.contextName = name }
  }
}
