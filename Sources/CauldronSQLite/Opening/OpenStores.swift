import CauldronModel

/// The stores that are open in this process: a second connection set to one file would not see the
/// first one's caches, so it is refused.
enum OpenStores {
  private struct State {
    var paths: Set<String> = []
    var files: Set<StoreFile.Identity> = []
  }

  private static let state = Locked(State())

  /// The claim on a file; given up with its last reference.
  final class Claim: Sendable {
    private let path: String
    private let file = Locked<StoreFile.Identity?>(nil)

    /// Claims a path while it is being opened, and the file that is there.
    init(_ store: StoreFile) throws {
      path = store.path
      let identity = store.identity
      let path = path
      let isFree = OpenStores.state.withLock { state in
        if let identity, state.files.contains(identity) { return false }
        guard state.paths.insert(path).inserted else { return false }
        if let identity { state.files.insert(identity) }
        return true
      }
      guard isFree else {
        // Nothing was claimed, so that `deinit` must not give anything up.
        self.isClaimed = false
        throw CauldronError(
          .storeAlreadyOpen, "Store \"\(store.path)\" is already open in this process.",
          hint: "Use that stack."
        ).with { $0.path = store.path }
      }
      isClaimed = true
      file.withLock { $0 = identity }
    }

    private let isClaimed: Bool

    /// Goes over from the path to the file, which exists by now.
    func settle(_ store: StoreFile) {
      let identity = store.identity
      let path = path
      let before = file.withLock { $0 }
      OpenStores.state.withLock { state in
        state.paths.remove(path)
        guard let identity else { return }
        // Another file may be in the place of the one that was there.
        if let before, before != identity { state.files.remove(before) }
        state.files.insert(identity)
      }
      file.withLock { $0 = identity ?? $0 }
    }

    deinit {
      guard isClaimed else { return }
      let identity = file.withLock { $0 }
      let path = path
      OpenStores.state.withLock { state in
        state.paths.remove(path)
        if let identity { state.files.remove(identity) }
      }
    }
  }
}
