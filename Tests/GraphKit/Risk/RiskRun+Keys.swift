import Cauldron

extension RiskRun {
  /// Gives a label a name that is free, or exchanges the names of two.
  mutating func rename(
    _ action: RiskAction, _ op: Operation, isRisky: Bool, _ context: ManagedObjectContext
  ) {
    let labels = oracle.living(.label, place)
    guard !labels.isEmpty else { return }
    let first = labels[op[2] % labels.count]
    guard isRisky || oracle.isFree(first, place), let a = object(first, context) as? Label else {
      return
    }
    if action == .rename {
      let name = op[3] % 4
      let isTaken = labels.contains { shownName($0, context) == name }
      setName(a, first, isTaken ? nil : name)
      return
    }
    let second = labels[(op[2] + 1 + op[3] % 3) % labels.count]
    guard second != first, isRisky || oracle.isFree(second, place),
      let b = object(second, context) as? Label
    else { return }
    let (one, other) = (row(a)[.name], row(b)[.name])
    let before = oracle.change(first, place)
    setName(a, first, nil)
    setName(b, second, one)
    setName(a, first, other)
    // What the event itself has set back was never an edit, whatever the parent has by now.
    if one == other { oracle.layers[place]?.changes[first] = before }
  }

  /// The name that an object shows, or that is fetched.
  private func shownName(_ number: Int, _ context: ManagedObjectContext) -> Int? {
    held[place]?[number].map { row($0)[.name] } ?? oracle.row(number, place)?[.name]
  }

  private mutating func setName(_ label: Label, _ number: Int, _ name: Int?) {
    let row = row(label)
    if row[.name] == name { return }
    shown[place]?[number] = row
    story("\(self.name(number)).name = \(text(name))")
    label.name = name.map(RiskProperty.text)
    oracle.edit(number, .name, to: name, shown: row, place)
    shown[place]?[number]?[.name] = name
  }

  /// Whether a save gives two objects of the receiver one name.
  func collides(_ push: RiskPush) -> Bool {
    guard family == .keys else { return false }
    if oracle.layers[place]?.brought.isEmpty == false, takesNames(push, oracle, place) {
      return true
    }
    var draft = oracle
    draft.accept(push, from: place)
    return hasTwins(draft, setup.parent(of: place))
  }

  /// Whether a save gives an object the name that another one of the receiver has so far: what children have
  /// brought comes first, and is refused where its turn is too early.
  func takesNames(_ push: RiskPush, _ oracle: RiskOracle, _ place: RiskPlace) -> Bool {
    let parent = setup.parent(of: place)
    let given = oracle.layers[place]?.names ?? []
    return oracle.living(.label, parent).contains { label in
      guard let name = oracle.row(label, parent)?[.name] else { return false }
      let isGiven = push.accepted[label]?.edits[.name]?.mine == name
      return given.contains(name) && !isGiven
    }
  }

  /// Whether two objects of a context have one name.
  func hasTwins(_ oracle: RiskOracle, _ place: RiskPlace?) -> Bool {
    let names = oracle.living(.label, place).compactMap { oracle.row($0, place)?[.name] }
    return Set(names).count != names.count
  }

  /// After a save that gave one name twice: which of the two outcomes it has is open, but each object has
  /// an ID and a name of its own.
  mutating func endWithTwins() throws {
    isOver = true
    history.isCollision = true
    report.open += 1
    try checkInvariants()
  }
}
