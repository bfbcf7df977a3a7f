import CauldronGraph
import CauldronLedger
package import CauldronModel
import Dispatch
import Foundation
import Logging

extension SaveRun {
  /// Ends the save; where it has ended well, the log says so before the program is told. One whose block
  /// runs again stays announced until the next attempt is.
  package func conclude() -> Result<SaveOutcome, CauldronError> {
    let result = result()
    if coordinator.logger.logLevel <= .info, case .success(.saved(let summary)) = result {
      // As a part of the save, so that a stack that is closed meanwhile waits for the line.
      run { log(summary) }
    }
    if ticket.isRepeated, case .failure(let error) = result, error.mayPass { return result }
    end()
    return result
  }

  private var coordinator: PersistentStoreCoordinator { levels[0].core.coordinator }

  private func log(_ summary: SaveSummary) {
    let took = began.milliseconds(to: .now())
    let counts = written ?? SavedCounts(summary)
    coordinator.logger.info(
      "\(sentence(summary, counts: counts, took: took))\(refusals(summary))",
      metadata: metadata(summary, counts: counts, took: took))
  }

  private func sentence(_ summary: SaveSummary, counts: SavedCounts, took: Double) -> String {
    let store = coordinator.storeURL?.lastPathComponent
    if ticket.endsAtParent, summary.carriedBy == nil {
      let place = levels[0].parent?.name ?? ""
      let rest = counts.text.isEmpty ? "" : ": \(counts.text)"
      return "↑ Saved into \(place), not yet \(store == nil ? "in the store" : "on disk")\(rest)"
    }
    let carrier = summary.carriedBy.map { " by save \($0)" } ?? ""
    let nothing = written == nil ? "" : ": nothing to write"
    let what = counts.text.isEmpty ? nothing : ": \(counts.text)"
    return "✓ Saved to \(store ?? "the store in memory")\(carrier)\(what) in \(Self.text(took))"
  }

  /// What the save could not take along, which is an error of another save.
  private func refusals(_ summary: SaveSummary) -> String {
    let count = summary.refused.count
    if count == 0 { return "" }
    return "; changes of \(count) earlier save\(count == 1 ? "" : "s") were refused"
  }

  private func metadata(
    _ summary: SaveSummary, counts: SavedCounts, took: Double
  ) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "save": "\(id)", "context": "\(levels[0].name)", "at": "\(callSite)",
    ]
    metadata["name"] = ticket.label.givenName.map { "\($0)" }
    metadata["store"] = coordinator.storeURL.map { "\($0.lastPathComponent)" }
    metadata["carrier"] = summary.carriedBy.map { "\($0)" }
    counts.note(in: &metadata)
    metadata.note(summary.refused.count, as: "refused")
    metadata.note(summary.resolutions.count, as: "adapted")
    metadata.note(milliseconds: took, as: "took")
    return metadata
  }

  /// A time as people read it: `6 ms`, `0.4 ms`, `12.3 s`.
  package static func text(_ milliseconds: Double) -> String {
    switch milliseconds {
    case ..<1: "\(max(1, (milliseconds * 100).rounded()) / 100) ms"
    case ..<10_000: "\(Int(milliseconds.rounded())) ms"
    default: "\((milliseconds / 100).rounded() / 10) s"
    }
  }
}
