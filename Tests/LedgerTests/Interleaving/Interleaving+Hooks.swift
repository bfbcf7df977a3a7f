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
        try act()
      } catch {
        failure = error
        return
      }
      if let level = outer?.level { outer?.views.append(level.view) }
    }
  }

  private func act() throws {
    steps += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: try edit(anyone())
    case 2, 3: try push(random.pick(children))
    case 4: try push(main)
    case 5 where !isCommitting: try commit()
    case 6: try readOne(anyone())
    case 7: try readLive(anyone())
    default: try probe(anyone())
    }
  }
}

extension HookStore.Moment {
  fileprivate var isOfReader: Bool { [.reading, .pinning, .pinned].contains(self) }
}
