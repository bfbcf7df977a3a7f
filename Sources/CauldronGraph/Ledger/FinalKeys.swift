/// The keys that objects have now, by those that they had.
struct FinalKeys: Sendable {
  /// A key that a store has reserved.
  private struct Reserved: Hashable {
    let key: Int64
    /// The number of the root entity.
    let root: Int32
  }

  /// By the provisional keys, which no two objects share, of whatever entity.
  private var provisional: [Int64: Int64] = [:]
  /// By the keys of objects that became another one, because that has their unique values.
  private var reserved: [Reserved: Int64] = [:]

  var isEmpty: Bool { provisional.isEmpty && reserved.isEmpty }
  /// Whether keys were exchanged that a store had reserved.
  var hasReserved: Bool { !reserved.isEmpty }

  /// The key that an object has now; nil where it was not exchanged.
  /// - Parameter root: The number of the root entity.
  func key(_ key: Int64, root: Int32) -> Int64? {
    guard var last = next(key, root) else { return nil }
    // What it became may have become another one, too.
    while let further = next(last, root) { last = further }
    return last
  }

  @inline(__always)
  private func next(_ key: Int64, _ root: Int32) -> Int64? {
    if key < 0 { return provisional[key] }
    return reserved.isEmpty ? nil : reserved[Reserved(key: key, root: root)]
  }

  /// Takes an exchange in.
  mutating func add(_ exchange: ProvisionalKeys.Exchange) {
    // An object that has become another one already stays that.
    let old = key(exchange.old, root: exchange.root) ?? exchange.old
    let new = key(exchange.new, root: exchange.root) ?? exchange.new
    guard old != new else { return }
    if old < 0 {
      provisional[old] = new
    } else {
      reserved[Reserved(key: old, root: exchange.root)] = new
    }
  }
}
