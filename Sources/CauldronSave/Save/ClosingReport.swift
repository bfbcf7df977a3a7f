import CauldronLedger
import CauldronModel
import CauldronStore

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
