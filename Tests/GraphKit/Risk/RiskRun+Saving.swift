import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel

extension RiskRun {
  /// Saves a context into its parent, or into the file, by any policy.
  mutating func save(_ op: Operation) throws {
    var policy = Self.policy(op[3])
    if isShared(policy) {
      // What children have brought is decided by itself, and goes back to them where it is refused.
      if op[3] / 10 % 8 == 0 { return try saveOpen(policy) }
      policy = .mergeByPropertyObjectTrump
    }
    try save(place, policy)
  }

  /// Whether a policy has to decide about objects of which children have saved something into the context.
  func isShared(_ policy: MergePolicy) -> Bool {
    guard let layer = oracle.layers[place], !layer.brought.isEmpty,
      policy != .mergeByPropertyObjectTrump
    else { return false }
    // To a strict save what a child has brought of an object is a change made elsewhere.
    if policy == .strict { return true }
    let push = oracle.push(place, policy, shown: shown[place] ?? [:])
    return !push.conflicts.isEmpty || !push.decided.isDisjoint(with: layer.brought)
  }

  /// Whether a save leaves references to what is deleted, about which the delete rules decide.
  private func leadsNowhere(_ push: RiskPush) -> Bool {
    guard family.kinds.contains(.sheet) else { return false }
    var draft = oracle
    draft.accept(push, from: place)
    let parent = setup.parent(of: place)
    return draft.kinds.indices.contains { object in
      guard let row = draft.row(object, parent) else { return false }
      return [RiskProperty.binder, .holder].contains { property in
        row[property].map { draft.row($0, parent) == nil } ?? false
      }
    }
  }

  /// A save of which the dictionaries do not tell what part is saved; the run ends with it.
  mutating func saveOpen(_ policy: MergePolicy) throws {
    story("save, \(policy)")
    noteRestored(oracle.push(place, policy, shown: shown[place] ?? [:]))
    (isOver, report.open) = (true, report.open + 1)
    // New objects may become others, by names that the dictionaries do not foresee.
    if family == .keys { history.isCollision = true }
    _ = try? contexts[place]?.performAndWait { local in
      local.context.mergePolicy = policy
      try local.context.save()
    }
    try checkInvariants()
  }

  static func policy(_ number: Int) -> MergePolicy {
    switch number % 10 {
    case 0..<4: .error
    case 4: .strict
    case 5: .mergeByPropertyStoreTrump
    case 6: .overwrite
    case 7: .rollback
    default: .mergeByPropertyObjectTrump
    }
  }

  mutating func save(_ place: RiskPlace, _ policy: MergePolicy) throws {
    guard let context = contexts[place] else { return }
    guard let save = foretell(place, policy) else { return try saveOpen(policy) }
    try conclude(
      save,
      Self.failure {
        try context.performAndWait { local in
          local.context.mergePolicy = policy
          try local.context.save()
        }
      })
  }

  /// What a save throws; nil where it succeeds.
  private static func failure(_ work: () throws -> Void) throws -> CauldronError? {
    do {
      try work()
      return nil
    } catch let error as CauldronError {
      return error
    }
  }

  /// Begins a save of one level. Nil where the dictionaries do not tell what it does.
  mutating func foretell(_ place: RiskPlace, _ policy: MergePolicy) -> RiskSave? {
    self.place = place
    story("save, \(policy)")
    contexts[place]?.performAndWait { _ in renewShown() }
    let push = oracle.push(place, policy, shown: shown[place] ?? [:])
    let changed = oracle.layers[place]?.changes ?? [:]
    // What was never saved is not brought back, and the save fails for the lack of it.
    let isAnnulled = changed.contains { number, change in
      change.kind != .inserted && oracle.annulled.contains(number)
        && oracle.below(number, place) == nil
    }
    if isAnnulled { return nil }
    if push.conflicts.isEmpty, leadsNowhere(push) { return nil }
    let brought = oracle.layers[place]?.brought ?? []
    if !push.restored.isDisjoint(with: brought) || comesAgain(place, oracle) { return nil }
    let collides = push.conflicts.isEmpty && self.collides(push)
    return RiskSave(place: place, push: push, collides: collides)
  }

  /// Whether a context saves an object that comes again, and of which a child's change was not made.
  private func comesAgain(_ place: RiskPlace, _ oracle: RiskOracle) -> Bool {
    guard let layer = oracle.layers[place] else { return false }
    return layer.brought.contains {
      layer.changes[$0]?.kind == .inserted && history.restored.contains($0)
    }
  }

  /// Compares what a save has answered with what was foretold, and does the same in the dictionaries.
  mutating func conclude(_ save: RiskSave, _ error: CauldronError?) throws {
    place = save.place
    if let error {
      return save.collides ? try endWithTwins() : try check(error, save.push)
    }
    if save.collides {
      noteRestored(save.push)
      return try endWithTwins()
    }
    let conflicts = save.push.conflicts.keys
    if !conflicts.isEmpty {
      throw RiskFinding(
        aspect: .saved, objects: Set(conflicts), place: place,
        text: "no conflict of \(conflicts.sorted().map(described))")
    }
    take(save.push)
  }

  /// An object with what was, what the receiver has, and what was to be saved.
  private func described(_ number: Int) -> String {
    let edits = oracle.change(number, place)?.edits ?? [:]
    let below = oracle.below(number, place)
    let lines = edits.map { property, edit in
      "\(property) was \(text(edit.was)), theirs \(text(below?[property])), "
        + "mine \(text(edit.mine))"
    }
    return "\(name(number)) (\(lines.joined(separator: "; ")))"
  }

  /// A refused save names what is in conflict, and changes nothing.
  private mutating func check(_ error: CauldronError, _ push: RiskPush) throws {
    let all = [error] + error.details
    guard all.allSatisfy({ $0.code == .saveConflict }) || !push.conflicts.isEmpty else {
      throw RiskFinding(
        aspect: .failed, objects: Set(error.objectIDs.compactMap { numbers[$0] }), place: place,
        text: "\(error)")
    }
    // One end alone is refused: nothing has changed.
    if isHalf(error) {
      let isBrought = oracle.layers[place]?.brought.isEmpty == false
      guard [.error, .strict].contains(push.policy) || isBrought else {
        throw RiskFinding(
          aspect: .half, objects: Set(error.objectIDs.compactMap { numbers[$0] }), place: place,
          text: "\(push.policy) does not decide: \(error)")
      }
      // What children have brought is saved all the same, or goes back to them.
      if oracle.layers[place]?.brought.isEmpty == false { isOver = true }
      return
    }
    if push.conflicts.isEmpty {
      throw RiskFinding(
        aspect: .refused, objects: Set(all.flatMap(\.objectIDs).compactMap { numbers[$0] }),
        place: place, text: "\(error)")
    }
    var named: [Int: Set<RiskProperty>] = [:]
    for conflict in all.flatMap(\.conflicts) {
      let properties = conflict.properties.compactMap { RiskProperty(rawValue: $0.name) }
      named[numbers[conflict.objectID] ?? -1, default: []].formUnion(properties)
    }
    report.refused += 1
    if named != push.conflicts {
      throw RiskFinding(
        aspect: .names, objects: Set(named.keys).union(push.conflicts.keys), place: place,
        text: "\(named), not \(push.conflicts)")
    }
  }

  /// Does in the dictionaries what a save has done.
  mutating func take(_ push: RiskPush) {
    noteRestored(push)
    report.decided += push.decided.count
    let parent = setup.parent(of: place)
    let changed = oracle.layers[place]?.changes ?? [:]
    sent[place, default: []].formUnion(changed.keys)
    noteTold(of: push)
    oracle.accept(push, from: place)
    for number in push.accepted.keys {
      accepted[number, default: []].append(oracle.row(number, parent))
    }
    notePassing()
    for (number, change) in changed {
      if change.kind == .deleted, push.accepted[number] == nil { meetAgain(number) }
      // What was deleted, here or elsewhere, too, is no object of the context any more.
      guard let row = oracle.row(number, place) else {
        if change.kind == .deleted { held[place]?[number] = nil }
        continue
      }
      // What was edited, or dropped, shows what was saved.
      // Values of others that it has taken in stay until it is told of newer ones.
      if let last = shown[place]?[number] {
        passing[place, default: [:]][number, default: []].append(last)
      }
      shown[place]?[number] = row
    }
    if push.decided.isEmpty, family == .undo {
      records[place]?.save()
    } else {
      for level in setup.places { records[level]?.clear(contexts[level]) }
    }
  }

  /// A context is told of what a policy has made of its save, also where a context above it hands that on: of
  /// partners, too, that the save itself did not touch.
  private mutating func noteTold(of push: RiskPush) {
    for level in setup.places where setup.chain(level).contains(place) {
      if sent[level]?.isEmpty == false { sent[level]?.formUnion(push.decided) }
    }
  }

  /// What was deleted and is kept, because the other side has changed it, is the same object as before.
  private mutating func meetAgain(_ number: Int) {
    guard let object = held[place]?[number], let id = ids[number] else { return }
    let isSame = contexts[place]?.performAndWait { local in
      let found = try? local.context.existingObject(with: id)
      return found == nil || found === object
    }
    if isSame == true { return }
    report.passed[.g27, default: 0] += 1
    held[place]?[number] = nil
  }

  /// Whether a child's deletion further up has hidden an edit of the level that it was saved into, which what
  /// comes back lies on.
  private func hasLostEdits(_ object: Int, _ push: RiskPush) -> Bool {
    setup.chain(place).dropFirst().contains { level in
      guard let deletion = oracle.change(object, level), deletion.kind == .deleted,
        oracle.layers[level]?.ownDeletions.contains(object) == false,
        let returning = push.accepted[object]
      else { return false }
      return deletion.row.contains { property, value in
        returning.edits[property] == nil && returning.row[property] != value
      }
    }
  }

  private mutating func noteRestored(_ push: RiskPush) {
    for object in push.restored {
      history.restored.insert(object)
      // The row lies below still where the deletion was not saved.
      let levels = setup.chain(place).dropFirst().map(Optional.some) + [nil]
      if levels.contains(where: { oracle.row(object, $0) != nil }) {
        history.restoredOverUnsaved.insert(object)
        history.deleters[object] = setup.parent(of: place)
      }
      // A child's deletion stays below what comes back, and so does what was edited before: the dictionaries
      // keep one change of an object.
      if let parent = setup.parent(of: place), oracle.change(object, parent)?.kind == .deleted,
        oracle.layers[parent]?.ownDeletions.contains(object) == false
      {
        isOver = true
      }
      if hasLostEdits(object, push) { isOver = true }
      // What was deleted with the object comes back with it, and what was deleted before does not.
      if let parent = setup.parent(of: place), oracle.change(object, parent)?.kind == .deleted,
        oracle.layers[parent]?.changes.values.contains(where: {
          $0.kind == .deleted && $0.row[.binder] == object
        }) == true
      {
        isOver = true
      }
    }
  }

  /// Whether a save was refused because it would have saved one end of a link alone.
  private mutating func isHalf(_ error: CauldronError) -> Bool {
    let isHalf = ([error] + error.details).contains {
      $0.message.contains("one end of a one-to-one relationship alone")
    }
    if isHalf { report.passed[.g5, default: 0] += 1 }
    return isHalf
  }

  /// Saves a context up to the file where no level has a conflict.
  mutating func saveUp(_ op: Operation) throws {
    guard let context = contexts[place], let pushes = foretellUp() else { return }
    let error = try Self.failure { try context.saveAndWait(toPersistentStore: true) }
    try concludeUp(pushes, error)
  }

  /// Begins a save up to the file, and tells what each level hands on; nil where one of them may refuse.
  /// - Parameter policy: That of the first level.
  mutating func foretellUp(_ policy: MergePolicy = .error) -> [RiskPush]? {
    var draft = oracle
    let chain = setup.chain(place)
    var pushes: [RiskPush] = []
    if policy != .error { contexts[place]?.performAndWait { _ in renewShown() } }
    for level in chain {
      if comesAgain(level, draft) { return nil }
      let isFirst = level == place
      let push = draft.push(
        level, isFirst ? policy : .error, shown: isFirst ? shown[place] ?? [:] : [:])
      guard push.conflicts.isEmpty, policy == .error || !leadsNowhere(push) else { return nil }
      let isMixed = level != place || draft.layers[level]?.brought.isEmpty == false
      if family == .keys, isMixed, takesNames(push, draft, level) { return nil }
      draft.accept(push, from: level)
      // One end alone is refused, which the save of another context may pass over.
      if draft.hasHalves(setup.parent(of: level)) { return nil }
      if family == .keys, hasTwins(draft, setup.parent(of: level)) { return nil }
      pushes.append(push)
    }
    story("save to the store, \(policy)")
    for level in chain {
      let policy = level == place ? policy : .error
      contexts[level]?.performAndWait { $0.context.mergePolicy = policy }
    }
    return pushes
  }

  /// Does in the dictionaries what a save up to the file has done, which must have succeeded.
  mutating func concludeUp(_ pushes: [RiskPush], _ error: CauldronError?) throws {
    if let error {
      if isHalf(error) {
        isOver = true
        return
      }
      throw RiskFinding(
        aspect: error.code == .saveConflict ? .refused : .failed,
        objects: Set(([error] + error.details).flatMap(\.objectIDs).compactMap { numbers[$0] }),
        place: place, text: "\(error)")
    }
    let start = place
    for (level, push) in zip(setup.chain(place), pushes) {
      place = level
      take(push)
    }
    place = start
  }
}

/// A save of one level, and what the dictionaries expect of it.
struct RiskSave {
  let place: RiskPlace
  let push: RiskPush
  /// Whether it gives one name twice.
  let collides: Bool
}
