import CauldronModel

/// What `Z_MAX` of each root entity is at least, because this process has reserved that much.
final class ReservedKeys: Sendable {
  private let greatest = Locked<[Int32: Int64]>([:])

  func note(_ key: Int64, of root: EntityLayout) {
    greatest.withLock { $0[root.number] = max(key, $0[root.number] ?? 0) }
  }

  /// Called before `Z_MAX` is lowered.
  func forget(_ root: EntityLayout) { greatest.withLock { $0[root.number] = nil } }

  func include(_ key: Int64, of root: EntityLayout) -> Bool {
    greatest.withLock { $0[root.number].map { key <= $0 } ?? false }
  }
}
