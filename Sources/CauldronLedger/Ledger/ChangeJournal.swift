package import CauldronModel
package import CauldronStore

/// The changes of the contexts' views, in order, for readers that keep a result right: each place
/// where layers come or go, and each commit.
///
/// It is empty without readers. A reader has a position; entries that all have read are dropped,
/// and of too many only this fact is kept.
///
/// `@unchecked Sendable` because everything is only touched with the ledger's lock held.
package final class ChangeJournal: @unchecked Sendable {
  /// What may have changed.
  package enum Content {
    case changes(ChangeSet)
    /// Changes of a layer that has moved above others.
    case reordered(ChangeSet)
    /// Rows of which no more is known.
    case rows(EntityLayout, [Int64])
    /// The store was written to from elsewhere, or a context has chosen another view.
    case everything
    /// A context has forgotten its objects.
    case reset
  }

  package struct Entry {
    package let content: Content
    /// The context in which the layer lay or lies; nil for the store.
    package let node: LedgerNode?
    package let isRemoval: Bool
  }

  private var entries: [Entry] = []
  /// The position of the first entry.
  private var first: UInt64 = 0
  private var rowCount = 0
  private var positions: [Int: UInt64] = [:]
  private var lastReader = 0
  /// What a commit has written that has not ended.
  private var staged: [Content] = []
  private var isNews = false
  /// Called, without the lock, after there is something new; set before there is a reader.
  package var wake: (@Sendable () -> Void)?

  /// The most entries, and the most rows in them, that wait for a reader.
  private static let most = (entries: 4_096, rows: 1_000_000)

  /// Whether anybody reads it.
  var isActive: Bool { !positions.isEmpty }

  /// The position behind the last entry.
  package var end: UInt64 { first + UInt64(entries.count) }

  package func append(_ content: Content, by node: LedgerNode?, isRemoval: Bool = false) {
    guard isActive else { return }
    entries.append(Entry(content: content, node: node, isRemoval: isRemoval))
    if !isRemoval { rowCount += content.count }
    isNews = true
    guard entries.count > Self.most.entries || rowCount > Self.most.rows else { return }
    trim()
    if entries.count > Self.most.entries || rowCount > Self.most.rows { drop(entries.count) }
  }

  /// Layers of a context were replaced by others.
  package func replace(_ old: [Layer], by new: [Layer], in node: LedgerNode) {
    guard isActive else { return }
    var rest = Set(old.map { ObjectIdentifier($0.changes) })
    for layer in new where rest.remove(ObjectIdentifier(layer.changes)) == nil {
      append(.changes(layer.changes), by: node)
    }
    for layer in old where rest.contains(ObjectIdentifier(layer.changes)) {
      append(.changes(layer.changes), by: node, isRemoval: true)
    }
    noteOrder(old, becoming: new, in: node)
  }

  /// Those that stay may lie in another order.
  private func noteOrder(_ old: [Layer], becoming new: [Layer], in node: LedgerNode) {
    let before = Set(old.map { ObjectIdentifier($0.changes) })
    let after = Set(new.map { ObjectIdentifier($0.changes) })
    let stayed = new.filter { before.contains(ObjectIdentifier($0.changes)) }
    let known = old.filter { after.contains(ObjectIdentifier($0.changes)) }
    if zip(stayed, known).allSatisfy({ $0.changes === $1.changes }) { return }
    for layer in stayed { append(.reordered(layer.changes), by: node) }
  }

  /// A commit that has not ended has written something.
  package func stage(_ content: Content) {
    if isActive { staged.append(content) }
  }

  /// A commit has ended.
  package func commitEnds() {
    for content in staged { append(content, by: nil) }
    staged = []
  }

  /// Whether somebody has to be woken.
  func takeWake() -> (@Sendable () -> Void)? {
    guard isNews else { return nil }
    isNews = false
    return wake
  }
}

// Reading.
extension ChangeJournal {
  /// Begins to read here.
  package func addReader() -> Int {
    lastReader += 1
    positions[lastReader] = end
    return lastReader
  }

  package func removeReader(_ reader: Int) {
    positions[reader] = nil
    trim()
  }

  /// What a reader has not read up to a position; nil where it was too much.
  package func entries(_ reader: Int, upTo end: UInt64) -> ArraySlice<Entry>? {
    guard let position = positions[reader], position >= first else { return nil }
    // It may have gone on since the end was taken, because nothing could matter to it.
    if end <= position { return [] }
    return entries[Int(position - first)..<Int(end - first)]
  }

  /// A reader has read up to a position.
  package func advance(_ reader: Int, to end: UInt64) {
    guard let position = positions[reader], position < end else { return }
    positions[reader] = end
    // Others have read less, or everything was dropped since, because it was too much.
    if position <= first, end > first { trim() }
  }

  /// Whether something new can matter to a reader; it goes on where nothing can. Entries that all
  /// have read stay until ``trim()``.
  package func concerns(_ reader: Int, canMatter: (Content) -> Bool) -> Bool {
    guard let position = positions[reader], position >= first else { return true }
    let entries = entries[Int(position - first)...]
    if entries.contains(where: { canMatter($0.content) }) { return true }
    positions[reader] = end
    return false
  }

  package func trim() {
    let least = positions.values.min() ?? end
    if least > first { drop(Int(least - first)) }
  }

  private func drop(_ count: Int) {
    for entry in entries[..<count] where !entry.isRemoval { rowCount -= entry.content.count }
    entries.removeFirst(count)
    first += UInt64(count)
  }
}

extension ChangeJournal.Content {
  fileprivate var count: Int {
    switch self {
    case .changes(let changes), .reordered(let changes): changes.count
    case .rows(_, let keys): keys.count
    case .everything, .reset: 0
    }
  }
}
