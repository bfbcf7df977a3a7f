import CauldronModel
import CauldronStore

/// Which save wrote the rows that were committed lately, so that a conflict can name it.
package final class CommittedSaves: Sendable {
  fileprivate struct Key: Hashable, Sendable {
    let root: Int32
    let key: Int64
  }

  fileprivate struct State: Sendable {
    var writers: [Key: (ticket: SaveTicket, version: Int32)] = [:]
    /// The rows in the order in which they came.
    var order: [Key] = []
  }

  /// How many rows are remembered; a conflict is mostly met soon after the other save.
  private static let limit = 2_048
  /// How many rows of a kind of change are remembered of one layer.
  fileprivate static let sample = 64

  private let state = Locked(State())

  /// The save that wrote a version of a row, or deleted it where the version is nil; nil if it was
  /// long ago or somebody else's.
  package func ticket(_ key: Int64, root: Int32, version: Int32?) -> SaveTicket? {
    let writer = state.withLock { $0.writers[Key(root: root, key: key)] }
    return writer?.version == version ?? 0 ? writer?.ticket : nil
  }

  /// - Complexity: O(layers).
  package func note(_ layers: [Layer]) {
    state.withLock { state in
      for layer in layers {
        guard let ticket = layer.ticket else { continue }
        for entity in layer.changes.entities { state.note(entity, by: ticket) }
      }
      guard state.order.count > 2 * Self.limit else { return }
      let old = state.order.count - Self.limit
      for key in state.order.prefix(old) { state.writers[key] = nil }
      state.order.removeFirst(old)
    }
  }
}

extension CommittedSaves.State {
  fileprivate mutating func note(_ changes: EntityChanges, by ticket: SaveTicket) {
    let root = changes.entity.root.number
    for row in changes.inserted.prefix(CommittedSaves.sample) {
      note(row.key, root: root, version: row.version, by: ticket)
    }
    for update in changes.updated.prefix(CommittedSaves.sample) {
      note(update.row.key, root: root, version: update.row.version, by: ticket)
    }
    for deletion in changes.deleted.prefix(CommittedSaves.sample) {
      note(deletion.key, root: root, version: 0, by: ticket)
    }
  }

  private mutating func note(
    _ key: Int64, root: Int32, version: Int32, by ticket: SaveTicket
  ) {
    let key = CommittedSaves.Key(root: root, key: key)
    writers[key] = (ticket, version)
    order.append(key)
  }
}

/// How often it was found that somebody else, mostly another process, has written to the store; in a
/// form that is read without a lock.
package final class OtherWriters: Sendable {
  private let number = SharedWord()

  @inline(__always)
  package var count: UInt32 { number.value }

  /// Whether the process is not alone with the store.
  @inline(__always)
  package var haveWritten: Bool { count > 0 }

  /// Called with the ledger's lock held.
  package func add() { number.store(count &+ 1 == 0 ? 1 : count &+ 1) }
}
