import CauldronModel
import Logging

// An object may be edited although its row cannot be read. Its edits wait here, and stop nobody's
// save but the context's own.
extension ContextCore {
  /// Whether an edited object's row is not read, so that the event's end leaves it for later.
  func isHeldBack(_ object: ManagedObject) -> Bool {
    guard object.isUnread, !object.isNew else { return false }
    object.change { $0.leaveEvent() }
    pending.holdBack(object)
    return true
  }

  /// Tries once more to read the row of an object.
  /// - Throws: Why it cannot be read.
  func readAgain(_ object: ManagedObject) throws {
    catchUp.refresh(object, coordinator.ledger.view(of: node))
    if object.isUnread, let error = object.extras?.error { throw error }
  }

  /// The row of an object could be read after all: its edits, if any, belong to the running event.
  func takeUp(_ object: ManagedObject, _ row: RowPointer) {
    object.change { $0.endUnread() }
    object.extras?.error = nil
    guard pending.release(object) else { return }
    object.extras?.edits.rebaseCommitted(onto: row.held)
    object.change { $0.enterEvent() }
    // What goes with it can be found now.
    if object.isDoomed { ownership.changeLists { event.delete(object) } }
    touch(object)
  }

  /// Drops the edits of what cannot be read; the next use reads it again.
  func forgetUnread(_ dropped: [ManagedObject]) {
    _ = pending.takeUnread()
    for object in dropped where object.isUnread {
      if !object.isGone { refresher.makeFault(of: object) }
    }
  }
}
