import Cauldron
import CauldronGraph
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
  private func isShared(_ policy: MergePolicy) -> Bool {
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
  private mutating func saveOpen(_ policy: MergePolicy) throws {
    story("save, \(policy)")
    noteRestored(oracle.push(place, policy, shown: shown[place] ?? [:]))
    (isOver, report.open) = (true, report.open + 1)
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
    self.place = place
    story("save, \(policy)")
    context.performAndWait { _ in renewShown() }
    let push = oracle.push(place, policy, shown: shown[place] ?? [:])
    let changed = oracle.layers[place]?.changes ?? [:]
    // What was never saved is not brought back, and the save fails for the lack of it.
    let isAnnulled = changed.contains { number, change in
      change.kind != .inserted && oracle.annulled.contains(number)
        && oracle.below(number, place) == nil
    }
    if isAnnulled { return try saveOpen(policy) }
    if push.conflicts.isEmpty, leadsNowhere(push) { return try saveOpen(policy) }
    // What comes again is an object that a child's change was not made of.
    let brought = oracle.layers[place]?.brought ?? []
    let again = brought.filter { changed[$0]?.kind == .inserted && history.restored.contains($0) }
    if !push.restored.isDisjoint(with: brought) || !again.isEmpty { return try saveOpen(policy) }
    let collides = push.conflicts.isEmpty && self.collides(push)
    do {
      try context.performAndWait { local in
        local.context.mergePolicy = policy
        try local.context.save()
      }
    } catch let error as CauldronError {
      if collides { return try endWithTwins() }
      return try check(error, push)
    }
    if collides {
      noteRestored(push)
      return try endWithTwins()
    }
    if !push.conflicts.isEmpty {
      throw RiskFinding(
        aspect: .saved, objects: Set(push.conflicts.keys), place: place,
        text: "no conflict of \(push.conflicts.keys.sorted().map(described))")
    }
    take(push)
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
    // One end alone is refused, where the table has a way: nothing has changed.
    if isHalf(error) {
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
  private mutating func take(_ push: RiskPush) {
    noteRestored(push)
    report.decided += push.decided.count
    let parent = setup.parent(of: place)
    let changes = push.accepted.values.contains { $0.kind == .updated }
    if let parent, changes || !push.decided.isEmpty {
      history.emptied.insert(parent)
    }
    history.emptied.insert(place)
    let changed = oracle.layers[place]?.changes ?? [:]
    sent[place, default: []].formUnion(changed.keys)
    oracle.accept(push, from: place)
    notePassing()
    for (number, change) in changed {
      if change.kind == .deleted, push.accepted[number] == nil { meetAgain(number) }
      // What was edited, or dropped, shows what was saved.
      if change.kind == .deleted, push.accepted[number] != nil { held[place]?[number] = nil }
      if let row = oracle.row(number, place) { shown[place]?[number] = row }
    }
    for level in setup.places { records[level]?.clear(contexts[level]) }
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

  private mutating func noteRestored(_ push: RiskPush) {
    if push.policy == .overwrite { history.whole.formUnion(push.decided) }
    for object in push.restored {
      history.restored.insert(object)
      // The row lies below still where the deletion was not saved.
      let levels = setup.chain(place).dropFirst().map(Optional.some) + [nil]
      if levels.contains(where: { oracle.row(object, $0) != nil }) {
        history.restoredOverUnsaved.insert(object)
        history.deleters[object] = setup.parent(of: place)
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
    guard let context = contexts[place] else { return }
    var draft = oracle
    let chain = setup.chain(place)
    var pushes: [RiskPush] = []
    for level in chain {
      let push = draft.push(level, .error, shown: [:])
      guard push.conflicts.isEmpty else { return }
      if family == .keys, level != place, takesNames(push, draft, level) { return }
      draft.accept(push, from: level)
      // One end alone is refused, which the save of another context may pass over.
      if draft.hasHalves(setup.parent(of: level)) { return }
      if family == .keys, hasTwins(draft, setup.parent(of: level)) { return }
      pushes.append(push)
    }
    story("save to the store")
    for level in chain {
      contexts[level]?.performAndWait { $0.context.mergePolicy = .error }
    }
    do {
      try context.saveAndWait(toPersistentStore: true)
    } catch let error as CauldronError {
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
    for (level, push) in zip(chain, pushes) {
      place = level
      take(push)
    }
    place = start
  }

  /// Drops what a context has; its children begin anew.
  mutating func rollback(_ place: RiskPlace) {
    self.place = place
    story("rollback")
    contexts[place]?.performAndWait { $0.context.rollback() }
    let dropped = Set((oracle.layers[place]?.changes ?? [:]).keys)
    oracle.layers[place] = nil
    records[place]?.clear(contexts[place])
    adoptRows(of: dropped)
    held[place] = (held[place] ?? [:]).filter { number, _ in
      oracle.row(number, place) != nil || oracle.file[number] != nil
    }
    for child in setup.children(of: place) { reopen(child) }
  }

  private mutating func reopen(_ place: RiskPlace) {
    if place == .main || place == .root { return rollback(place) }
    open(place)
  }

  mutating func discard() {
    story("discard")
    reopen(place)
  }

  /// Saves all that there is, and looks at the file.
  mutating func finish() throws {
    if isOver { return }
    for level in [RiskPlace.editor, .second, .main, .sibling, .root]
    where contexts[level] != nil && !isOver {
      try save(level, .mergeByPropertyObjectTrump)
      if !isOver { try compareAll() }
    }
    let findings = setup.isFile ? try stage.stack.coordinator.store.verify() : []
    if !findings.isEmpty {
      throw RiskFinding(aspect: .file, place: .root, text: "\(findings)")
    }
  }
}
