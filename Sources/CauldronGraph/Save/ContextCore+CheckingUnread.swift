import CauldronModel
import Logging

extension ContextCore {
  /// The context's own save is told of what cannot be read; one that passes through goes on.
  func checkUnread(_ run: SaveRun) throws(CauldronError) {
    if pending.unread.isEmpty { return }
    for object in pending.unread { try? readAgain(object) }
    publish()
    guard let error = pending.unread.lazy.compactMap(savingError).first else { return }
    if run.step == 0 { throw error }
    coordinator.logger.warning(
      "Own changes of \(handle?.description ?? name) stay unsaved: \(error)",
      metadata: metadata(run))
  }
}
