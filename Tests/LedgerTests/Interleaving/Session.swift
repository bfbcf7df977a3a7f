import Cauldron

/// A context beside what the oracle knows of it.
final class Session {
  let context: ManagedObjectContext
  let level: Level
  let parent: Session?
  /// The objects that it has read, kept so that the context keeps them, too.
  private(set) var held: [Int64: Account] = [:]
  /// The objects that it has deleted and not saved; they come back at a rollback.
  private var deleted: [Int64: Account] = [:]
  /// The objects whose deletion it has saved; they come back where that is dropped further up.
  private var departed: [Int64: Account] = [:]
  /// The accounts that it has saved changes to, and that were dropped further up since its last event.
  private var dropped: Set<Int64> = []
  /// The objects whose account was found to be gone; they come back if it does.
  private var gone: [Int64: Account] = [:]
  /// What those objects show: a context does not learn of later changes by itself.
  private(set) var shown: View = [:]
  /// Accounts that children have changed since the context's last event.
  private var arrived: Set<Int64> = []

  /// Objects that a commit may have combined with what others have committed.
  private var adapted: Set<Int64> = []
  /// Whether changes have come back, so that nothing is done but to try again or to give up.
  var isTroubled = false

  init(_ context: ManagedObjectContext, parent: Session) {
    self.context = context
    self.parent = parent
    level = Level(parent: parent.level)
  }

  /// A context on the coordinator.
  init(_ context: ManagedObjectContext, on disk: Disk) {
    self.context = context
    parent = nil
    level = Level(disk)
  }

  func hold(_ object: Account, _ holding: Holding) {
    held[object.objectID.key] = object
    gone[object.objectID.key] = nil
    shown[object.objectID.key] = holding
  }

  /// Remembers an object whose account does not exist.
  func lose(_ object: Account) {
    forget(object.objectID.key)
    // What is unknown is a fault, which reads its row whenever somebody asks for it.
    if !object.isFault { gone[object.objectID.key] = object }
  }

  /// Remembers what the context keeps after it looked in vain.
  func loseRegistered(_ id: ManagedObjectID) {
    if let object = context.registeredObject(for: id) as? Account { lose(object) }
  }

  /// Keeps what the context has registered although nobody held it.
  func holdRegistered(_ id: ManagedObjectID) {
    guard held[id.key] == nil, let now = level.view[id.key],
      let object = context.registeredObject(for: id) as? Account
    else { return }
    hold(object, now)
  }

  private func forget(_ key: Int64) {
    held[key] = nil
    shown[key] = nil
  }

  /// Objects that a push had to combine with newer changes show the result; the others stay as
  /// they are.
  func learn(_ keys: Set<Int64>) {
    beginEvent()
    look(at: keys)
  }

  /// The same for what a commit has written, at the next event.
  func learnLater(_ keys: Set<Int64>) { adapted.formUnion(keys) }

  private func look(at keys: Set<Int64>) {
    let view = keys.isEmpty ? [:] : level.view
    for key in keys {
      guard let object = held[key] else { continue }
      if object.isDeleted {
        lose(object)
      } else if let now = view[key], now == Holding(balance: object.balance, mark: object.mark) {
        shown[key] = now
      }
    }
  }

  /// Drops the edits, and every object.
  func reset() {
    context.reset()
    level.layers = []
    (deleted, departed, dropped) = ([:], [:], [])
    gone = [:]
    arrived = []
    adapted = []
    isTroubled = false
    held = [:]
    shown = [:]
  }

  /// Takes in what children have pushed, as every event begins.
  func beginEvent() {
    context.processPendingChanges()
    catchUp(arrived)
    arrived = []
    look(at: adapted)
    adapted = []
  }

  /// Makes what the event did visible to others.
  func endEvent(_ edits: Edits) {
    context.processPendingChanges()
    level.layers.append(Deed(edits))
    for (key, edit) in edits {
      switch edit {
      case .insert(let holding), .update(_, let holding): shown[key] = holding
      case .delete:
        deleted[key] = held[key]
        forget(key)
      }
    }
  }

  /// The edits were accepted.
  func didPush(_ number: Int = 0) {
    level.push(Deed.Source(session: self, number: number))
    departed.merge(deleted) { $1 }
    deleted = [:]
  }

  /// The edits are on disk.
  func didCommit() { deleted = [:] }

  func receive(_ layers: [Deed]) {
    for layer in layers { arrived.formUnion(layer.edits.keys) }
  }

  func rollback() {
    let touched = level.layers.flatMap(\.edits.keys)
    context.rollback()
    isTroubled = false
    // Those that have saved into the context take it back, too.
    for deed in level.layers {
      for session in [deed.maker, deed.source?.session].compactMap(\.self) where session !== self {
        session.receive([deed])
        session.dropped.formUnion(deed.edits.keys)
      }
    }
    level.layers = []
    held.merge(deleted) { $1 }
    deleted = [:]
    catchUp(Set(touched).union(arrived))
    arrived = []
    look(at: adapted)
    adapted = []
  }

  /// Reads every object anew but those with edits, which would win over what they never saw.
  func refresh() {
    let edited = Set(level.layers.flatMap(\.edits.keys))
    // An account may be there after all that the session took for lost.
    let found = gone.filter { !$0.value.isDeleted }
    let clean = held.merging(found) { first, _ in first }.filter { !edited.contains($0.key) }
    for object in clean.values { context.refresh(object, mergeChanges: true) }
    catchUp(Set(clean.keys))
  }

  private func catchUp(_ keys: Set<Int64>) {
    guard !keys.isEmpty else { return }
    let (view, earlier) = (level.view, level.earlier)
    for key in keys {
      let back = dropped.remove(key).flatMap { departed[$0] }
      guard let object = held[key] ?? registered(gone[key]) ?? registered(back) else { continue }
      if let before = earlier?[key], before == Holding(balance: object.balance, mark: object.mark) {
        hold(object, before)
      } else if let now = view[key] {
        hold(object, now)
      } else {
        lose(object)
      }
    }
  }

  /// An object that was deleted, and the deletion saved, stays gone even if the deletion comes back.
  private func registered(_ object: Account?) -> Account? {
    object.flatMap { context.registeredObject(for: $0.objectID) === $0 ? $0 : nil }
  }
}
