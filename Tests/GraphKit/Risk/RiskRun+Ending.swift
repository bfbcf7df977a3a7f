import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Dispatch

extension RiskRun {
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

  /// Saves all that there is, and looks at the file, also as the next program finds it.
  mutating func finish() throws {
    if isOver { return }
    if setup.closes { return try closeWithSaves() }
    for level in [RiskPlace.editor, .second, .sibling, .main, .root]
    where contexts[level] != nil && !isOver {
      try save(level, .mergeByPropertyObjectTrump)
      if !isOver { try compareAll() }
    }
    guard setup.isFile else { return }
    let findings = try stage.stack.coordinator.store.verify()
    if !findings.isEmpty {
      throw RiskFinding(aspect: .file, place: .root, text: "\(findings)")
    }
    if isOver { return }
    try stage.stack.close()
    let found = try stage.reopened(setup, family.kinds)
    report.meet("opened again")
    for number in Set(found.keys).union(oracle.file.keys).sorted() {
      try compareStored(number, found[number], [oracle.file[number]])
    }
  }

  /// Asks for saves that nothing waits for, and closes the stack: what was asked for is stored.
  private mutating func closeWithSaves() throws {
    if setup.handsOn {
      for level in [RiskPlace.root, .editor, .second, .sibling, .main] {
        if isOver || contexts[level] == nil { continue }
        if level != .root, setup.parent(of: level) == nil { continue }
        try save(level, .mergeByPropertyObjectTrump)
      }
      if isOver { return }
    }
    let askers = [RiskPlace.editor, .sibling, .second, .main].filter {
      contexts[$0] != nil && oracle.hasChanges($0)
    }
    var asked: Set<RiskPlace> = []
    var saving: Set<Int> = []
    let endings = Locked<[RiskPlace: String]>([:])
    let before = oracle
    for place in askers where asked.allSatisfy({ !setup.chain($0).contains(place) }) {
      self.place = place
      // Two saves of one object come in any order.
      let own = (before.layers[place]?.changes ?? [:]).keys
      if !asked.isEmpty, !saving.isDisjoint(with: own) || [.pairs, .keys].contains(family) {
        continue
      }
      guard let pushes = foretellUp() else { continue }
      asked.insert(place)
      saving.formUnion(
        setup.chain(place).flatMap { before.layers[$0]?.changes.keys.map { $0 } ?? [] })
      contexts[place]?.save(toPersistentStore: true) { _, error in
        endings.withLock { $0[place] = error.map { "\($0)" } ?? "" }
      }
      for (level, push) in zip(setup.chain(place), pushes) { oracle.accept(push, from: level) }
    }
    // What inner contexts have accepted, and have not edited themselves, is written, too.
    let isWhole = acceptAll()
    story("close")
    report.meet("closed")
    try stage.stack.close()
    stage.mainQueue.sync {}
    try check(asked, endings.withLock { $0 }, before, isWhole: isWhole)
  }

  /// Hands what inner contexts have on to the file. False where one of them has changed anything itself, or
  /// something is refused.
  private mutating func acceptAll() -> Bool {
    let inner = [RiskPlace.main, .root].filter { !setup.children(of: $0).isEmpty }
    if inner.contains(where: { oracle.layers[$0]?.isEdited == true }) { return false }
    if [.pairs, .keys].contains(family) || !history.restored.isEmpty { return false }
    for place in inner {
      let push = oracle.push(place, .error, shown: [:])
      if !push.conflicts.isEmpty { return false }
      oracle.accept(push, from: place)
    }
    return true
  }

  /// What was asked for is in the file, what was not and waited nowhere else is not, and a warning names the
  /// context that loses it.
  private func check(
    _ asked: Set<RiskPlace>, _ endings: [RiskPlace: String], _ before: RiskOracle,
    isWhole: Bool
  ) throws {
    let found = try stage.reopened(setup, family.kinds)
    try checkLinks(found)
    let levels: [RiskPlace?] =
      [nil] + setup.places.filter { setup.children(of: $0).isEmpty == false }
    for place in asked {
      if let ending = endings[place], ending.isEmpty {
        for (number, change) in before.layers[place]?.changes ?? [:] {
          // What a child has handed on before, by a policy of its own, may win over an end.
          let handedOn = family == .pairs ? levels.map { before.row(number, $0) } : []
          try compareStored(
            number, found[number], [oracle.file[number]] + handedOn, change.edits.keys)
        }
        continue
      }
      throw RiskFinding(
        aspect: .closed, objects: Set((before.layers[place]?.changes ?? [:]).keys), place: place,
        text: "a save before closing ended with \(endings[place] ?? "nothing")")
    }
    for number in isWhole ? Set(found.keys).union(oracle.file.keys).sorted() : [] {
      try compareStored(number, found[number], [oracle.file[number]])
    }
    let leaves = setup.places.filter { setup.children(of: $0).isEmpty && !asked.contains($0) }
    for number in Set(found.keys).union(before.file.keys) {
      let rows =
        levels.map { before.row(number, $0) } + [oracle.file[number]]
        + (accepted[number] ?? [])
      try compareStored(number, found[number], rows)
    }
    // Where the environment turns the log off nothing is told.
    for leaf in leaves where before.hasChanges(leaf) && stage.tellsWarnings {
      let name = stage.name(leaf)
      // Three are named, those with most changes.
      let isTold = stage.warnings.contains {
        $0.contains("\"\(name)\"") || $0.contains(" and more")
      }
      if isTold { continue }
      throw RiskFinding(
        aspect: .closed, objects: Set((before.layers[leaf]?.changes ?? [:]).keys), place: leaf,
        text: "no warning names \"\(name)\": \(stage.warnings)")
    }
  }

  /// No link is half in the file.
  private func checkLinks(_ found: [Int: RiskRow]) throws {
    for (number, row) in found {
      for end in [RiskProperty.guest, .seat] {
        guard let partner = row[end], let back = end.back, found[partner]?[back] != number else {
          continue
        }
        throw RiskFinding(
          aspect: .file, objects: [number, partner], place: place,
          text: "\(name(number)) leads to \(name(partner)), which does not lead back")
      }
    }
  }

  /// Each property of a stored row is one of those that it may have. An end that a policy has taken from its
  /// partner may lead nowhere.
  /// - Parameter edited: The properties that are looked at; all for none.
  private func compareStored(
    _ number: Int, _ found: RiskRow?, _ rows: [RiskRow?],
    _ edited: some Collection<RiskProperty> = []
  ) throws {
    let properties = edited.isEmpty ? oracle.kinds[number].properties : Array(edited)
    let isAllowed =
      found.map { found in
        properties.allSatisfy { property in
          property.back != nil && found[property] == nil
            || rows.contains { $0.map { $0[property] == found[property] } ?? false }
        }
      } ?? rows.contains { $0 == nil }
    if isAllowed { return }
    throw RiskFinding(
      aspect: .file, objects: [number], place: place,
      text: "\(name(number)) is \(found.map { "\($0)" } ?? "not") in the file, not \(rows)")
  }
}
