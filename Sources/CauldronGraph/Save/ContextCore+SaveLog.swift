import CauldronModel
import Dispatch
import Logging

// What the levels of a save report. The texts and their metadata are made only where they are
// logged.
extension ContextCore {
  func logSaving(_ run: SaveRun, _ layers: [Layer], _ began: DispatchTime) {
    coordinator.logger.info(
      "→ Saving \(description) on \(threadName)", metadata: metadata(run, layers, began))
  }

  func logNothing(_ run: SaveRun) {
    coordinator.logger.debug(
      "No changes in \(description): nothing to save", metadata: metadata(run))
  }

  /// Tells what the level handed on or wrote, not what it was asked to; the save's last line needs to
  /// know what was written.
  /// - Parameters:
  ///   - done: The layers that were accepted or written.
  ///   - refused: How many were not.
  func logSaved(
    _ run: SaveRun, _ done: [Layer], refused: Int, _ began: DispatchTime,
    _ summary: CommitSummary? = nil
  ) {
    if summary != nil, coordinator.logger.logLevel <= .info { run.written = SavedCounts(done) }
    let what = done.isEmpty ? "Saved nothing of" : refused > 0 ? "Saved a part of" : "Saved"
    coordinator.logger.debug(
      "\(what) \(description)",
      metadata: metadata(run, done, began, summary, refused: refused))
  }

  /// Tells why the level failed.
  func logFailure(_ error: CauldronError, _ run: SaveRun) {
    coordinator.logger.error(
      "Could not save \(description): \(error)",
      metadata: metadata(run).merging(metadata(error)) { own, _ in own })
  }

  /// Tells that own changes of a level that others save through stay where they are.
  func logUnsaved(_ errors: [CauldronError], _ run: SaveRun) {
    var seen: Set<String> = []
    for error in errors where seen.insert("\(error)").inserted {
      coordinator.logger.warning(
        "Own changes of \(description) stay unsaved: \(error)",
        metadata: metadata(run).merging(metadata(error)) { own, _ in own })
    }
  }

  /// Tells each save whose changes were refused here, and come back to the contexts that made them,
  /// why that is so.
  /// - Parameter receiver: Where they met a conflict; nil for the store.
  /// - Returns: The same, each error with the saves that are at odds.
  func logReturned(
    _ returned: [(Layer, CauldronError)], _ run: SaveRun?, in receiver: LedgerNode?
  ) -> [(Layer, CauldronError)] {
    var seen: Set<String> = []
    return returned.map { layer, error in
      let party = layer.party
      let error = coordinator.naming(error, party, in: receiver).with {
        if $0.contextName == nil { $0.contextName = name }
      }
      if layer.origin !== node, seen.insert("\(party.saveID) \(error)").inserted {
        log(error, of: layer, party, run)
      }
      return (layer, error)
    }
  }

  private func log(
    _ error: CauldronError, of layer: Layer, _ party: SaveParty, _ run: SaveRun?
  ) {
    let origin = layer.origin.core?.description ?? party.contextName
    var metadata = metadata(error)
    metadata["save"] = "\(party.saveID)"
    metadata["context"] = "\(party.contextName)"
    metadata["at"] = "\(party.name)"
    metadata["level"] = "\(name)"
    metadata["carrier"] = run.flatMap { $0.id == party.saveID ? nil : "\($0.id)" }
    coordinator.logger.error("Could not save \(origin): \(error)", metadata: metadata)
  }

  func metadata(_ error: CauldronError) -> Logger.Metadata {
    error.metadata(showsValues: coordinator.showsValues)
  }

  private var threadName: String {
    coordinator.mainQueue.isCurrent ? "the main thread" : "a background thread"
  }
}
