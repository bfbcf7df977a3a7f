package import CauldronGraph
import CauldronLedger
package import CauldronModel
import CauldronStore

// What a save would say of what a record of an import has changed.
extension ManagedObjectContext {
  /// Tells changed objects that they will be saved, so that they are validated as a save would find them.
  package func importWillSave(_ touched: ImportTouched) {
    for object in touched.objects { importWillSave(object) }
    core.publisher.publish()
  }

  /// Tells an object that it will be saved.
  package func importWillSave(_ object: ManagedObject) {
    guard core.hooks.of(object).contains(.willSave),
      object.isAlive
    else { return }
    core.hooks.run("willSave()", of: object, isOfSave: true) { object.willSave() }
  }

  /// What is wrong with what was changed.
  /// - Parameter isSpared: Whether an object is not to be asked yet.
  /// - Complexity: O(changed rows), and one statement for each relationship that is counted and was not
  ///   walked.
  package func importProblem(
    _ touched: ImportTouched, sparing isSpared: (ManagedObject) -> Bool
  ) throws(CauldronError) -> CauldronError? {
    let objects = touched.objects.filter { !isSpared($0) }
    var problems = ValidationProblems()
    try addProblems(of: objects, to: &problems)
    addMiscounts(CountTally(touched.changes), to: &problems, isSpared: isSpared)
    return problems.error
  }

  /// What is wrong with some objects, whatever was changed last.
  /// - Complexity: O(unsaved rows) where relationships are counted.
  package func importProblem(of objects: [ManagedObject]) throws(CauldronError) -> CauldronError? {
    core.publisher.publish()
    var problems = ValidationProblems()
    try addProblems(of: objects, to: &problems)
    let own = core.coordinator.ledger.layers(of: core.node).filter { $0.isUnsaved(of: core.node) }
    if objects.contains(where: { !$0.layout.digest.counted.isEmpty }) {
      let asked = Set(objects.map(ObjectIdentifier.init))
      addMiscounts(CountTally(own.lazy.map(\.changes)), to: &problems) {
        !asked.contains(ObjectIdentifier($0))
      }
    }
    return problems.error
  }

  /// Whether a relationship denies that an object is deleted.
  package func importIsDenied(_ object: ManagedObject) -> Bool {
    object.layout.digest.denying.contains { property in
      property.kind == .toMany
        ? !core.toManyIDs(of: object, through: property).isEmpty
        : core.keys.reference(of: object, property) != nil
    }
  }
}

extension ManagedObjectContext {
  private func addProblems(
    of objects: [ManagedObject], to problems: inout ValidationProblems
  ) throws(CauldronError) {
    let found = try Saver(core).runOwnHooks(objects)
    for denial in Saver(core).denials(of: objects) { problems.add(denial.objectIDs) { denial } }
    found.add(to: &problems)
    let layers = core.coordinator.ledger.layers(of: core.node)
    let own = layers.filter { $0.isUnsaved(of: core.node) }
    for object in objects {
      Validation.check(
        own, among: layers, storeNumber: core.coordinator.storeNumber, only: object.registeredID,
        problems: &problems)
    }
  }

  private func addMiscounts(
    _ tally: CountTally, to problems: inout ValidationProblems,
    isSpared: (ManagedObject) -> Bool
  ) {
    for (place, change) in tally.doubtful {
      guard let owner = core.reader.object(with: core.coordinator.id(place.key, of: change.owner)),
        !isSpared(owner),
        owner.isAlive
      else { continue }
      let property = owner.layout.properties[place.relationship]
      let count = core.toManyIDs(of: owner, through: property).count
      guard let failure = change.limit.failure(count), change.leads(to: failure) else { continue }
      problems.add([owner.registeredID]) {
        .miscounted(failure, owner.registeredID, owner.layout, property)
      }
    }
  }
}
