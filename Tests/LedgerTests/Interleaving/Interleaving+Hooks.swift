import TestSupport

extension Interleaving {
  /// Something else happens in the middle of a read or of a commit.
  func interrupt(_ moment: HookStore.Moment) {
    guard !isInHook, failure == nil, !moment.isOfReader || watch != nil else { return }
    isInHook = true
    var outer = watch
    watch = nil
    defer {
      watch = outer
      isInHook = false
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      do {
        steps += 1
        try act(at: moment)
      } catch {
        failure = error
        return
      }
      if let level = outer?.level { outer?.views.append(level.view) }
    }
  }
}

extension HookStore.Moment {
  fileprivate var isOfReader: Bool { [.reading, .pinning, .pinned].contains(self) }
}
