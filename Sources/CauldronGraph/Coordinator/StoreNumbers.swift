import CauldronModel

/// Numbers the open stores of the process, so that an object ID can name its store in four bytes.
package enum StoreNumbers {
  private struct Entry: Sendable {
    weak var coordinator: PersistentStoreCoordinator?
  }

  private static let state = Locked<(next: Int32, open: [Int32: Entry])>((1, [:]))

  package static func next() -> Int32 {
    state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
  }

  static func register(_ coordinator: PersistentStoreCoordinator, _ number: Int32) {
    state.withLock { $0.open[number] = Entry(coordinator: coordinator) }
  }

  static func coordinator(_ number: Int32) -> PersistentStoreCoordinator? {
    state.withLock { $0.open[number]?.coordinator }
  }
}
