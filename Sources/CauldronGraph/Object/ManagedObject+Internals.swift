import CauldronModel
import Logging

extension ManagedObject {
  /// Whether the object has nothing that the context would lose with it.
  var isClean: Bool {
    state.contains(.gone)
      || state.isDisjoint(with: [.inserted, .updated, .deleted, .inEvent, .saving])
        && (extras?.transient.isEmpty ?? true)
  }

  func makeExtras() -> ObjectExtras {
    if let extras { return extras }
    let made = ObjectExtras()
    extras = made
    return made
  }

  /// Takes back that the row was found to be gone.
  func revive() {
    if state.contains(.gone) { state.subtract([.gone, .deleted]) }
  }

  /// Shows a shared row.
  func show(_ row: RowPointer) {
    self.row = row.words
    owner = row.block
    state.subtract([.fault, .writable])
  }

  /// Records that the row could not be read; the last known values, or zeros, stay visible.
  func note(unread error: any Error) {
    let reason = CauldronError.wrap(error)
    guard reason.code != .objectNotFound else { return }
    makeExtras().error = reason
    state.insert(.unread)
    state.subtract(.fault)
    context?.logger.error("\(reason)", metadata: ["object": "\(objectID)"])
  }

  /// The context, for as long as it exists.
  var context: ManagedObjectContext? { core._withUnsafeGuaranteedRef { $0.handle } }
}

extension CauldronError {
  static func notFound(_ object: ManagedObject) -> CauldronError {
    CauldronError(
      .objectNotFound,
      "Cannot fault \(object.layout.name) \(object.objectID): it is no longer in the store."
    ).with {
      $0.entity = object.layout.name
      $0.objectIDs = [object.objectID]
    }
  }
}
