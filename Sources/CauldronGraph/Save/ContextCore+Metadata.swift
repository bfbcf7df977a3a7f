import CCauldron
import CauldronModel
import Dispatch
import Logging

// What the log lines of a save tell beside their text. All of it is made only where it is logged.
extension ContextCore {
  /// Which save it is, and where it runs.
  func metadata(_ run: SaveRun) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "save": "\(run.id)", "step": "\(run.position)", "context": "\(name)",
      "queue": "\(ownership.kind == .main ? "main" : "private")",
      "thread": "\(cauldron_kernel_thread_id())", "at": "\(run.callSite)",
    ]
    metadata["name"] = run.ticket.label.givenName.map { "\($0)" }
    return metadata
  }

  /// The same, with what is saved and how long it waited.
  func metadata(_ run: SaveRun, _ layers: [Layer], _ began: DispatchTime) -> Logger.Metadata {
    let changes = layers.map(\.changes)
    var metadata = metadata(run)
    metadata.note(changes.reduce(0) { $0 + $1.insertedCount }, as: "inserted")
    metadata.note(changes.reduce(0) { $0 + $1.updatedCount }, as: "updated")
    metadata.note(changes.reduce(0) { $0 + $1.deletedCount }, as: "deleted")
    metadata.note(changes.reduce(0) { $0 + $1.linkCount }, as: "links")
    metadata.note(milliseconds: run.enqueued.milliseconds(to: began), as: "waited")
    return metadata
  }

  /// The same, with how long it took; at the root also what was written.
  func metadata(
    _ run: SaveRun, _ layers: [Layer], _ began: DispatchTime, _ summary: CommitSummary?,
    refused: Int
  ) -> Logger.Metadata {
    var metadata = metadata(run, layers, began)
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

extension DispatchTime {
  /// The time between two moments, in milliseconds with three digits.
  func milliseconds(to end: DispatchTime) -> Double {
    let nanoseconds = Double(end.uptimeNanoseconds &- uptimeNanoseconds)
    return (nanoseconds / 1_000).rounded() / 1_000
  }
}
