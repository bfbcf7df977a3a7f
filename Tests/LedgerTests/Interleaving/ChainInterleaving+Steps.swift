import Cauldron
import TestSupport

extension ChainInterleaving {
  /// One step, any of them.
  func takeStep() throws {
    steps += 1
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: try edit(anyone())
    case 22..<34: try push(random.pick(children))
    case 34..<42: try push(main)
    case 42..<48: try commitRoot()
    case 48..<68: try probe(anyone())
    case 68..<80: try readOne(anyone())
    case 80..<90: try readLive(anyone())
    case 90..<92: random.pick(children).refresh()
    case 92..<95: random.pick(children).rollback()
    case 95..<98: replaceChild()
    case 98: try giveUpMain()
    default: random.pick(children).reset()
    }
  }

  /// Mostly a child; now and then the main or the root context itself.
  func anyone() -> Session {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: root
    case 1, 2: main
    default: random.pick(children)
    }
  }

  /// Saves a context into its parent, which refuses exactly what it has to.
  func push(_ session: Session) throws {
    guard session !== root, let parent = session.parent else { return try commitRoot() }
    if isBusy(session) { return }
    session.beginEvent()
    let layers = session.level.layers
    let isRefused = session.level.isRefused
    // Whoever made the changes learns what became of them, and must not be busy then.
    let origins = session === main ? [main] + children[0..<3] : [session]
    if origins.contains(where: isBusy) { return }
    if isRefused, session === main { return try pushRefused() }
    do {
      try session.context.save()
    } catch let error as CauldronError where [.saveConflict, .saveDependency].contains(error.code) {
      try check(
        isRefused,
        "\(session.context.name) was refused without need: \(error); it pushes \(layers)"
          + " onto \(parent.level.view)")
      session.rollback()
      return
    }
    try check(
      !isRefused,
      "\(session.context.name) has overwritten a newer change with \(layers)"
        + " on top of \(parent.level.view)")
    session.didPush()
    parent.receive(layers)
    for origin in origins { origin.learn(Set(layers.flatMap(\.edits.keys))) }
  }

  /// Writes what waits in the root; what comes in meanwhile waits for the next time.
  func commitRoot() throws {
    if isBusy(root) { return }
    root.beginEvent()
    let count = root.level.layers.count
    isCommitting = true
    busy.append(root)
    defer {
      isCommitting = false
      busy.removeLast()
    }
    try root.context.save()
    try rethrow()
    root.level.commit(count)
  }

  /// A new session in the place of one that is thrown away with its edits.
  func replaceChild() {
    let free = children.indices.filter { !isBusy(children[$0]) }
    guard !free.isEmpty else { return }
    let index = random.pick(Array(free))
    children[index] = makeChild(index)
  }

  /// The main context drops everything, also what children have pushed.
  private func giveUpMain() throws {
    guard random.once(in: 4) else { return }
    main.rollback()
  }

  /// A sibling of the main context was quicker: what clashes with it goes back to where it came
  /// from, and the rest passes.
  private func pushRefused() throws {
    guard !isInHook, random.once(in: 2) else { return main.rollback() }
    do {
      try main.context.save()
    } catch let error as CauldronError where [.saveConflict, .saveDependency].contains(error.code) {
      // Own edits of the main context were among it.
    }
    for index in 0..<3 {
      children[index].rollback()
      children[index] = makeChild(index)
    }
    main.rollback()
    store.hook = nil
    try root.context.save()
    listen()
    root.level.layers = []
    disk.view = try fetchAll(root)
    try check(disk.view.sum == Self.sum, "a refused push has torn a transfer")
    root.refresh()
    main.refresh()
  }
}
