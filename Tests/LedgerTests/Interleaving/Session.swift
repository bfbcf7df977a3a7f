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
  /// What those objects show: a context does not learn of later changes by itself.
  private(set) var shown: View = [:]
  /// Accounts that children have changed since the context's last event.
  private var arrived: Set<Int64> = []

  init(_ context: ManagedObjectContext, parent: Session?) {
    self.context = context
    self.parent = parent
    level = Level(parent: parent?.level)
  }

  func hold(_ object: Account, _ holding: Holding) {
    held[object.objectID.key] = object
    shown[object.objectID.key] = holding
  }

  func forget(_ key: Int64) {
    held[key] = nil
    shown[key] = nil
  }

  /// Objects that a push had to combine with newer changes show the result; the others stay as
  /// they are.
  func learn(_ keys: Set<Int64>) {
    beginEvent()
    let view = level.view
    for key in keys {
      guard let object = held[key] else { continue }
      if object.isDeleted {
        forget(key)
      } else if let now = view[key], now == Holding(balance: object.balance, mark: object.mark) {
        shown[key] = now
      }
    }
  }

  /// Drops the edits, and every object.
  func reset() {
    context.reset()
    level.layers = []
    deleted = [:]
    arrived = []
    held = [:]
    shown = [:]
  }

  /// Takes in what children have pushed, as every event begins.
  func beginEvent() {
    context.processPendingChanges()
    catchUp(arrived)
    arrived = []
  }

  /// Makes what the event did visible to others.
  func endEvent(_ edits: Edits) {
    context.processPendingChanges()
    level.layers.append(edits)
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
  func didPush() {
    level.push()
    deleted = [:]
  }

  func receive(_ layers: [Edits]) {
    for layer in layers { arrived.formUnion(layer.keys) }
  }

  func rollback() {
    let touched = level.layers.flatMap(\.keys)
    context.rollback()
    level.layers = []
    held.merge(deleted) { $1 }
    deleted = [:]
    catchUp(Set(touched).union(arrived))
    arrived = []
  }

  /// Reads every object anew.
  func refresh() {
    for object in held.values { context.refresh(object, mergeChanges: true) }
    catchUp(Set(held.keys))
  }

  private func catchUp(_ keys: Set<Int64>) {
    guard !keys.isEmpty else { return }
    let view = level.view
    for key in keys where held[key] != nil {
      if let now = view[key] { shown[key] = now } else { forget(key) }
    }
  }
}
