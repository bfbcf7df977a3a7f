import CauldronLedger
package import CauldronModel
import Logging

/// The hooks of objects: which class has which, and which of them wait.
///
/// Hooks are code of the program, which may do to the context whatever it may do elsewhere, but save it. So
/// none is called with a lock held, nor while lists of the context are walked: those that belong into the
/// middle of something wait until it is done.
package struct Hooks {
  let drafts: Drafts

  private var place: Place { drafts.place }
  private var settings: SharedSettings { drafts.settings }
  private var event: EventState { drafts.event }

  /// What an object's class overrides of its life cycle.
  @inline(__always)
  package func of(_ object: ManagedObject) -> _ObjectHooks {
    place.unretained.classes._withUnsafeGuaranteedRef { $0.hooks(object.entityNumber) }
  }

  /// Runs a hook, in which the context cannot be saved.
  package func run(
    _ hook: String, of object: ManagedObject, isOfSave: Bool = false, isOfImport: Bool = false,
    body: () throws -> Void
  ) rethrows {
    let outer = event.hook
    event.hook = RunningHook(
      hook, of: object, isOfSave: isOfSave, isOfImport: isOfImport, within: outer)
    defer { event.hook = outer }
    try body()
  }

  /// A save asks and tells its objects once for all of it: one within another would never end.
  /// - Throws: Which hook asks for the save.
  package func checkNoHookRuns() throws(CauldronError) {
    guard let hook = event.hook else { return }
    throw .saveInside("\(hook)", of: settings.name, isOfSave: hook.isOfSave)
  }

  /// The same for a save, which observers that are told of a save cannot begin, either.
  package func checkMayBeSaved() throws(CauldronError) {
    try checkNoHookRuns()
    try checkNoObserverIsTold()
  }

  /// The same for observers of `willSaveObjectsNotification` alone.
  package func checkNoObserverIsTold() throws(CauldronError) {
    guard event.tellsOfSave else { return }
    throw .saveInside(
      "an observer of willSaveObjectsNotification", of: settings.name, isOfSave: true)
  }

  /// Tells a new object that it is one.
  @inline(__always)
  func awakeFromInsert(_ object: ManagedObject) {
    guard of(object).contains(.awakeFromInsert) else { return }
    run("awakeFromInsert()", of: object) { object.awakeFromInsert() }
  }

  /// Tells an object that it is to be deleted, by itself or with another object.
  func prepareForDeletion(_ object: ManagedObject) {
    guard of(object).contains(.prepareForDeletion) else { return }
    event.beginPreparing(object)
    defer { event.endPreparing() }
    run("prepareForDeletion()", of: object) { object.prepareForDeletion() }
  }

  /// Tells an object that it is about to forget its row.
  func willTurnIntoFault(_ object: ManagedObject) {
    guard of(object).contains(.turnIntoFault), !object.isFault else { return }
    run("willTurnIntoFault()", of: object) { object.willTurnIntoFault() }
  }

  /// Tells an object that it has forgotten its row.
  func didTurnIntoFault(_ object: ManagedObject) {
    guard of(object).contains(.turnIntoFault) else { return }
    run("didTurnIntoFault()", of: object) { object.didTurnIntoFault() }
  }

  /// Whether an object wants to be told when its row has been read.
  func awakesFromFetch(_ object: ManagedObject) -> Bool {
    of(object).contains(.awakeFromFetch)
  }

  /// Notes that an object shows the row that was read for it; it awakes when waiting hooks run.
  @inline(__always)
  func noteFilled(_ object: ManagedObject) {
    if place.awakes { putToSleep(object) }
  }

  @inline(never)
  private func putToSleep(_ object: ManagedObject) {
    guard awakesFromFetch(object), !object.isAsleep else { return }
    object.change { $0.fallAsleep() }
    event.waiting.asleep.append(object)
  }

  /// Notes that an object shows values of another moment; it is told when waiting hooks run.
  package func noteSnapshot(of object: ManagedObject, flags: SnapshotEventType) {
    guard of(object).contains(.awakeFromSnapshotEvents),
      object.hasRow
    else { return }
    event.waiting.note(object, flags: flags)
  }

  /// Runs the hooks that wait; to be called where the context may be used for anything.
  @inline(__always)
  package func runWaitingHooks() { if !event.waiting.isEmpty { runWaitingHooksNow() } }

  @inline(never)
  private func runWaitingHooksNow() {
    var rounds = 0
    // A hook may have others wait by what it does.
    while !event.waiting.isEmpty {
      while !event.waiting.asleep.isEmpty {
        for object in event.waiting.takeAsleep() { awaken(object) }
      }
      // A hook may add to the snapshots that wait: those are told here when it has ended.
      guard !event.tellsSnapshots else { return }
      let snapshots = event.waiting.takeSnapshots()
      rounds += 1
      if rounds > EventState.mostRounds, let object = snapshots.first?.object {
        return logEndlessHook(of: object)
      }
      event.tellsSnapshots = true
      defer { event.tellsSnapshots = false }
      for (object, flags) in snapshots where object.hasRow {
        run("awakeFromSnapshotEvents(_:)", of: object) { object.awakeFromSnapshotEvents(flags) }
      }
    }
  }

  private func logEndlessHook(of object: ManagedObject) {
    place.coordinator.logger.error(
      """
      awakeFromSnapshotEvents(_:) of \(object.layout.name) still has objects told again after \
      \(EventState.mostRounds) rounds; the rest is not told. Refresh or undo nothing there.
      """,
      metadata: ["context": "\(settings.name)", "object": "\(object.objectID)"])
  }

  /// Tells an object that its row has been read.
  func awaken(_ object: ManagedObject) {
    guard object.isAsleep else { return }
    object.change { $0.awake() }
    guard object.isShown else { return }
    drafts.beginUntracked(object)
    run("awakeFromFetch()", of: object) { object.awakeFromFetch() }
    drafts.endUntracked(object)
  }
}

extension CauldronError {
  fileprivate static func saveInside(
    _ hook: String, of context: String, isOfSave: Bool
  ) -> CauldronError {
    CauldronError(
      .validationFailed,
      "Cannot save \"\(context)\" while \(hook) runs"
        + (isOfSave ? ", which is part of a save." : "."),
      hint: "Change objects there, which are saved with the rest, or save afterwards.")
  }

  package static func endlessSaves(_ context: String) -> CauldronError {
    CauldronError(
      .validationFailed,
      "Cannot save \"\(context)\": observers of its saves still change objects and save again after"
        + " \(EventState.mostRounds) rounds.",
      hint: "Set a value there only if it differs from what the object has.")
  }
}

/// A function of an object's life cycle that runs now.
package struct RunningHook {
  /// Its name, as the class declares it.
  let name: String
  fileprivate let entity: EntityLayout.Unowned
  /// Whether a save calls it.
  let isOfSave: Bool
  /// Whether an import calls it.
  let isOfImport: Bool

  /// - Parameter outer: The one in which it runs.
  init(
    _ name: String, of object: ManagedObject, isOfSave: Bool, isOfImport: Bool,
    within outer: RunningHook?
  ) {
    self.name = name
    entity = EntityLayout.Unowned(entity: object.layout)
    self.isOfSave = isOfSave || outer?.isOfSave == true
    self.isOfImport = isOfImport || outer?.isOfImport == true
  }
}

extension RunningHook: CustomStringConvertible {
  /// Such as `willSave() of Person`.
  package var description: String { "\(name) of \(entity.entity.name)" }
}

/// The hooks that wait until the context may be used for anything.
struct WaitingHooks {
  /// The objects whose rows were read, and that are yet to be told.
  var asleep: [ManagedObject] = []
  /// The objects that show values of another moment.
  private(set) var snapshots: [(object: ManagedObject, flags: SnapshotEventType)] = []
  private var places: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { asleep.isEmpty && snapshots.isEmpty }

  /// The objects that are to be told of their rows, which is the caller's to see to now.
  mutating func takeAsleep() -> [ManagedObject] {
    defer { asleep = [] }
    return asleep
  }

  /// The objects that are to be told of their values, which is the caller's to see to now.
  mutating func takeSnapshots() -> [(object: ManagedObject, flags: SnapshotEventType)] {
    defer { (snapshots, places) = ([], [:]) }
    return snapshots
  }

  /// Notes what has happened to an object, which is told once of all of it.
  mutating func note(_ object: ManagedObject, flags: SnapshotEventType) {
    if let place = places[ObjectIdentifier(object)] {
      snapshots[place].flags.formUnion(flags)
    } else {
      places[ObjectIdentifier(object)] = snapshots.count
      snapshots.append((object, flags))
    }
  }
}
