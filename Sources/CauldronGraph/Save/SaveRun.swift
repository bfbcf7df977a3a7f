import CauldronModel
import Dispatch
import Logging

/// One save on its way up the chain.
///
/// `@unchecked Sendable` because the levels run one after the other, each handing over to the next.
final class SaveRun: @unchecked Sendable {
  let id: UInt64
  let ticket: SaveTicket
  let levels: [ManagedObjectContext]
  let callSite: String
  /// The level that runs now.
  var step = 0
  var error: CauldronError?
  /// Whether any level had something to save.
  var didWork = false
  var counts = (inserted: 0, updated: 0, deleted: 0)
  var enqueued = DispatchTime.now()

  init(_ context: ManagedObjectContext, toPersistentStore: Bool, callSite: String) {
    id = context.core.coordinator.ledger.saveID()
    ticket = SaveTicket(saveID: id)
    self.callSite = callSite
    var levels = [context]
    while toPersistentStore, let parent = levels[levels.count - 1].parent { levels.append(parent) }
    self.levels = levels
  }

  /// The level's position, as logs show it.
  var position: String { "\(step + 1)/\(levels.count)" }

  /// What became of the save, once the last level has run.
  func result() -> Result<SaveOutcome, CauldronError> {
    if let error { return .failure(error) }
    var carrier: UInt64?
    switch ticket.result {
    case .failed(let error): return .failure(error)
    case .committed(let save): carrier = save == id ? nil : save
    case nil: break
    }
    guard didWork || carrier != nil else { return .success(.noChanges) }
    return .success(
      .saved(
        SaveSummary(
          saveID: id, carriedBy: carrier, inserted: counts.inserted, updated: counts.updated,
          deleted: counts.deleted)))
  }
}
