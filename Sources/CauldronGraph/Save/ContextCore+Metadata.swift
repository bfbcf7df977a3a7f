import CCauldron
import CauldronModel
import Dispatch
import Logging

// What the log lines of a save tell beside their text. All of it is made only where it is logged.
extension ContextCore {
  /// Which save it is, and where it runs.
  func metadata(_ run: SaveRun) -> Logger.Metadata {
    [
      "save": "\(run.id)", "name": "\(run.name)", "step": "\(run.position)", "context": "\(name)",
      "queue": "\(ownership.kind == .main ? "main" : "private")",
      "thread": "\(cauldron_kernel_thread_id())", "at": "\(run.callSite)",
    ]
  }

  /// The same, with what is saved and how long it waited.
  func metadata(_ run: SaveRun, _ layers: [Layer], _ began: DispatchTime) -> Logger.Metadata {
    let changes = layers.map(\.changes)
    var metadata = metadata(run)
    metadata["inserted"] = "\(changes.reduce(0) { $0 + $1.insertedCount })"
    metadata["updated"] = "\(changes.reduce(0) { $0 + $1.updatedCount })"
    metadata["deleted"] = "\(changes.reduce(0) { $0 + $1.deletedCount })"
    let links = changes.reduce(0) { $0 + $1.linkCount }
    if links > 0 { metadata["links"] = "\(links)" }
    metadata["waited"] = "\(run.enqueued.milliseconds(to: began)) ms"
    return metadata
  }

  /// The same, with how long it took; at the root also what was written.
  func metadata(
    _ run: SaveRun, _ layers: [Layer], _ began: DispatchTime, _ summary: CommitSummary?,
    refused: Int
  ) -> Logger.Metadata {
    var metadata = metadata(run, layers, began)
    metadata["objects"] = "\(ObjectNames(layers.map(\.changes)))"
    if refused > 0 { metadata["refused"] = "\(refused)" }
    if let summary {
      metadata["rows"] = "\(summary.rowCount)"
      metadata["statements"] = "\(summary.statementCount)"
      if !summary.adapted.isEmpty { metadata["adapted"] = "\(summary.adapted.count)" }
    }
    metadata["worked"] = "\(began.milliseconds(to: .now())) ms"
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
