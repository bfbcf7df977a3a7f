import CCauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Dispatch
import Logging

/// What a level of a save reports. The texts and their metadata are made only where they are logged.
struct SaveLog {
  private let core: ContextCore
  private let run: SaveRun
  private let began: DispatchTime

  init(_ core: ContextCore, _ level: LevelSave) {
    self.core = core
    run = level.run
    began = level.began
  }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }

  func logSaving(_ layers: [Layer]) {
    coordinator.logger.info(
      "→ Saving \(core.label.description) on \(threadName)", metadata: metadata(layers))
  }

  func logNothing() {
    coordinator.logger.debug(
      "No changes in \(core.label.description): nothing to save", metadata: metadata())
  }

  /// Tells what the level handed on or wrote, not what it was asked to; the save's last line needs to
  /// know what was written.
  /// - Parameters:
  ///   - done: The layers that were accepted or written.
  ///   - refused: How many were not.
  func logSaved(
    _ done: [Layer], refused: Int, summary: CommitSummary? = nil
  ) {
    if summary != nil, coordinator.logger.logLevel <= .info { run.written = SavedCounts(done) }
    let what = done.isEmpty ? "Saved nothing of" : refused > 0 ? "Saved a part of" : "Saved"
    coordinator.logger.debug(
      "\(what) \(core.label.description)",
      metadata: metadata(of: done, summary: summary, refused: refused))
  }

  /// Tells why the level failed.
  func logFailure(_ error: CauldronError) {
    coordinator.logger.log(
      level: run.ticket.logLevel(of: error), "Could not save \(core.label.description): \(error)",
      metadata: metadata().merging(ContextLog(core).metadata(error)) { own, _ in own })
  }

  /// Warns that own changes of a level stay unsaved when a save of its children passes through it.
  func logUnsaved(_ errors: [CauldronError]) {
    var seen: Set<String> = []
    for error in errors where seen.insert("\(error)").inserted {
      coordinator.logger.warning(
        "Own changes of \(core.label.description) stay unsaved: \(error)",
        metadata: metadata().merging(ContextLog(core).metadata(error)) { own, _ in own })
    }
  }

  private var threadName: String {
    coordinator.mainQueue.isCurrent ? "the main thread" : "a background thread"
  }

  /// The same as ``ContextLog/logReturned(_:carrier:in:)`` for changes that this save refused.
  func logReturned(
    _ returned: [(Layer, CauldronError)], in receiver: LedgerNode?
  ) -> [(Layer, CauldronError)] {
    ContextLog(core).logReturned(returned, carrier: run.id, in: receiver)
  }

  // MARK: Metadata

  /// Which save it is, and where it runs.
  func metadata() -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "save": "\(run.id)", "step": "\(run.position)", "context": "\(core.name)",
      "queue": "\(core.ownership.kind == .main ? "main" : "private")",
      "thread": "\(cauldron_kernel_thread_id())", "at": "\(run.callSite)",
    ]
    metadata["name"] = run.ticket.label.givenName.map { "\($0)" }
    return metadata
  }

  /// The same, with what is saved and how long it waited.
  private func metadata(_ layers: [Layer]) -> Logger.Metadata {
    var metadata = metadata()
    SavedCounts(layers).note(in: &metadata)
    metadata.note(milliseconds: run.enqueued.milliseconds(to: began), as: "waited")
    return metadata
  }

  /// The same, with how long it took; at the root also what was written.
  private func metadata(
    of layers: [Layer], summary: CommitSummary?, refused: Int
  ) -> Logger.Metadata {
    var metadata = metadata(layers)
    if !layers.isEmpty { metadata["objects"] = "\(ObjectNames(layers.map(\.changes)))" }
    metadata.note(refused, as: "refused")
    if let summary {
      metadata.note(summary.rowCount, as: "rows")
      metadata.note(summary.statementCount, as: "statements")
      metadata.note(summary.adapted.count, as: "adapted")
    }
    metadata.note(milliseconds: began.milliseconds(to: .now()), as: "worked")
    return metadata
  }
}

/// What a commit did; there is one however it ended, because a part of it may be on disk.
struct CommitSummary {
  var written: [Layer] = []
  /// Layers as they were before a merge policy has adapted them; contexts below show them so.
  var adapted: [Layer] = []
  /// What went back to where it came from, as it was saved.
  var failed: [(Layer, CauldronError)] = []
  /// Whether nothing was begun, because a child has brought back what the context may have deleted.
  var isOutrun = false
  /// What stays behind and is changed by it no more, as newer layers have done so.
  var losses: [LeftBehind.Loss] = []
  /// Whether the store has changed derived attributes of other rows.
  var hasTouched = false
  var statementCount = 0
  var rowCount = 0
  /// What concerns all that was not written.
  var error: CauldronError?

  /// Tells the save that a layer belongs to that it is on disk.
  mutating func acknowledge(_ flight: Flight, by saveID: UInt64) {
    flight.layer.ticket?.note(flight.resolutions)
    flight.layer.ticket?.resolve(.committed(by: saveID))
    written.append(flight.layer)
    // As it was: what the policy has dropped must be looked at, too.
    if flight.isNoticed { adapted.append(flight.saved) }
  }
}
