import CCauldron

/// A number that is read without a lock, and written in one piece by whoever holds the lock of what
/// it tells.
///
/// `@unchecked Sendable` because the memory is only touched by atomic loads and stores.
struct SharedWord: ~Copyable, @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt32>

  init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: 0)
  }

  deinit { memory.deallocate() }

  @inline(__always)
  var value: UInt32 { cauldron_load(memory) }

  func store(_ value: UInt32) { cauldron_store(memory, value) }
}
