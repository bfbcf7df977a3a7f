import CauldronGraph
package import CauldronLedger
import CauldronModel
import CauldronStore
import Dispatch
import Foundation
import Logging

/// Writes what was saved into contexts and is not in the store yet, when a stack is closed.
///
/// This needs no queue: accepted changes are values in the ledger, and their hooks have run
/// where they were made.
package struct ClosingSave {
  private let coordinator: PersistentStoreCoordinator

  private var ledger: ChangeLedger { coordinator.ledger }

  package init(on coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  /// Writes the changes that contexts have accepted from their children, level by level; unsaved
  /// edits stay where they are, and so do changes that build on them. A warning tells of both.
  ///
  /// To be called when all saves have ended. Of a store in memory nothing would be left.
  package func run() {
    guard !coordinator.isClosed, coordinator.storeURL != nil, !coordinator.has(.lostAccepted)
    else { return }
    // The event ends where the caller has the context, so that its changes can be counted.
    for core in ledger.nodes.all.compactMap(\.core) where core.ownership.isCallers {
      core.publisher.processPending()
    }
    guard let report = coordinator.closing.once({ write() }) else { return }
    log(report)
  }

  private func write() -> ClosingReport {
    let nodes = ledger.nodes.all.sorted { $0.ancestors.count > $1.ancestors.count }
    var report = ClosingReport()
    for node in nodes {
      report.note(
        unsaved: ledger.unsavedLayers(of: node), in: node.owner?.name,
        failure: ledger.refusal(of: node))
    }
    // The deepest first, so that each finds what those below it have handed on.
    for node in nodes where holdsAccepted(node) {
      if node.parent == nil {
        commitAccepted(of: node, into: &report)
      } else {
        pushAccepted(of: node, into: &report)
      }
    }
    for node in nodes {
      for layer in ledger.layers(of: node) where layer.ticket != nil { report.note(left: layer) }
    }
    return report
  }

  private func holdsAccepted(_ node: LedgerNode) -> Bool {
    ledger.layers(of: node).contains { $0.ticket != nil }
  }

  private func pushAccepted(of node: LedgerNode, into report: inout ClosingReport) {
    guard let core = node.core else { return }
    do throws(CauldronError) {
      var outcome: PushOutcome?
      while outcome == nil {
        // Its own deletions stay where they are.
        _ = node.inbox.takeRestored()
        var push = PushRequest(
          of: node, on: coordinator, policy: core.settings.withLock { $0.mergePolicy })
        push.problem = .unsavedAtEnd(of: core.name)
        outcome = try ledger.push(push)
      }
      report.note(refused: outcome?.returned ?? [])
    } catch {
      // Only a strict push throws.
      report.error = error
    }
  }

  private func commitAccepted(of node: LedgerNode, into report: inout ClosingReport) {
    // A save that stands still in the middle of a commit has the layers.
    guard let core = node.core, let handle = core.handle, !report.isLocked,
      !coordinator.saves.areAtWork(on: node)
    else { return }
    let run = SaveRun(
      handle, toPersistentStore: false, nil, named: "closing the stack", at: CallSite("", 0))
    var commit = StoreCommit(of: node, by: run, run.mergePolicy(of: core), coordinator)
    commit.commit(
      LevelSave(run: run, began: .now()), refusingOwn: .unsavedAtEnd(of: core.name))
    let summary = commit.summary
    report.note(refused: summary.failed.filter { $0.0.ticket !== run.ticket })
    report.error = report.error ?? summary.error
    report.isLocked = summary.error?.code == .storeBusy
    for layer in summary.written { report.note(written: layer) }
  }

  private func log(_ report: ClosingReport) {
    let store = coordinator.storeURL?.lastPathComponent ?? "the store"
    func metadata(_ counts: ChangeCount) -> Logger.Metadata {
      ["path": "\(coordinator.storeURL?.path ?? "")", "changes": "\(counts.total)"]
    }
    if report.written.total > 0 {
      coordinator.logger.info(
        """
        Closing \(store) writes \(report.written.text("saved")) of \(report.written.contexts).
        """, metadata: metadata(report.written))
    }
    for (sentence, counts) in report.losses {
      coordinator.logger.warning("Closing \(store) loses \(sentence)", metadata: metadata(counts))
    }
  }
}

extension CauldronError {
  fileprivate static func unsavedAtEnd(of context: String) -> CauldronError {
    CauldronError(
      .saveDiscarded, "Changes of \"\(context)\" were not saved before the stack was closed.")
  }
}

/// What is not in the store when a stack is closed.
struct ClosingReport {
  private(set) var written = ChangeCount()
  private var unsaved = ChangeCount()
  private var refused = ChangeCount()
  /// Unsaved changes of contexts whose last save has failed, and why the first of them has.
  private var failed = ChangeCount()
  private var failure: CauldronError?
  /// Why what was saved could not be written.
  var error: CauldronError?
  /// Whether another connection has locked the store, which is waited for once.
  var isLocked = false

  /// - Parameter failure: Why the last save of these changes has failed; nil where none has.
  mutating func note(unsaved layers: [Layer], in name: String?, failure: CauldronError?) {
    for layer in layers {
      let name = name ?? layer.party.contextName
      if let failure {
        failed.add(layer.changes, in: name)
        self.failure = self.failure ?? failure
      } else {
        unsaved.add(layer.changes, in: name)
      }
    }
  }

  mutating func note(refused layers: [(Layer, CauldronError)]) {
    for (layer, reason) in layers {
      layer.ticket?.resolve(.failed(reason))
      note(left: layer)
      error = error ?? reason
    }
  }

  mutating func note(written layer: Layer) {
    written.add(layer.changes, in: layer.party.contextName)
  }

  mutating func note(left layer: Layer) { refused.add(layer.changes, in: layer.party.contextName) }

  /// What is lost, in a sentence each.
  var losses: [(sentence: String, counts: ChangeCount)] {
    let reason = error?.message ?? "A save that stands still has not ended."
    let all = [
      ("\(refused.text("saved")) of \(refused.contexts): \(reason)", refused),
      (
        "\(failed.text("unsaved")) of \(failed.contexts), whose last save failed:"
          + " \(failure?.message ?? "")", failed
      ),
      (
        "\(unsaved.text("unsaved")) of \(unsaved.contexts). Save before the stack is closed.",
        unsaved
      ),
    ]
    return all.filter { $0.1.total > 0 }
  }
}

/// How many rows changes touch, by the names of contexts.
struct ChangeCount {
  private var rows: [String: RowFates] = [:]

  mutating func add(_ changes: ChangeSet, in name: String) {
    rows[name, default: RowFates()].add(changes)
  }

  private var counts: [(name: String, count: Int)] {
    rows.map { ($0.key, $0.value.count) }.filter { $0.1 > 0 }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  var total: Int { counts.reduce(0) { $0 + $1.count } }

  /// Such as `2 unsaved changes`.
  func text(_ kind: String) -> String { "\(total) \(kind) change\(total == 1 ? "" : "s")" }

  /// Such as `"Default Context" (2) and "Edit" (1)`; the first few.
  var contexts: String {
    let parts = counts.prefix(3).map { "\"\($0.name)\" (\($0.count))" }
    return parts.joined(separator: ", ") + (counts.count > 3 ? " and more" : "")
  }
}
