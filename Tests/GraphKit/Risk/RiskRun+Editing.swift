import Cauldron

extension RiskRun {
  /// Does what an action says within an event of a context.
  mutating func edit(
    _ action: RiskAction, _ op: Operation, isRisky: Bool, _ context: ManagedObjectContext
  ) throws {
    switch action {
    case .look: try look(context)
    case .read: if let number = pick(op[2]) { _ = object(number, context) }
    case .create: create(op, context)
    case .edit, .setBack, .setEqual:
      guard let number = pick(op[2]), isRisky || oracle.isFree(number, place) else { return }
      setValue(action, number, op[3], context)
      try checkEqual(action, number, context)
    case .delete:
      guard let number = pick(op[2]), isRisky || oracle.isFree(number, place) else { return }
      delete(number, context)
    case .link, .unlink, .swap: link(action, op, isRisky: isRisky, context)
    case .rename, .exchange: rename(action, op, isRisky: isRisky, context)
    case .gather, .dissolve, .move: own(action, op, context)
    case .refresh, .revert:
      guard let number = pick(op[2]) else { return }
      try refresh(number, isMine: action == .refresh, context)
    default: return
    }
  }

  private func pick(_ number: Int) -> Int? {
    let all = family.kinds.flatMap { oracle.living($0, place) }
    // What a context has read it may use, also where it has been deleted elsewhere.
    let own = (held[place] ?? [:]).keys.filter { !all.contains($0) }
    let choice = all + own.sorted()
    if choice.isEmpty { return nil }
    // Few objects, so that contexts meet.
    return choice[number % (number % 3 == 0 ? choice.count : min(3, choice.count))]
  }

  /// The object as the context has it; it is held from now on. Nil where it is not there.
  mutating func object(_ number: Int, _ context: ManagedObjectContext) -> ManagedObject? {
    if let object = held[place]?[number] { return object.isDeleted ? nil : object }
    guard let id = ids[number], let object = try? context.existingObject(with: id) else {
      return nil
    }
    held[place, default: [:]][number] = object
    let row = row(object)
    shown[place, default: [:]][number] = row
    story("read \(name(number))")
    return object
  }

  /// What an object shows.
  func row(_ object: ManagedObject) -> RiskRow {
    switch object {
    case let card as Card: [.value: card.value, .weight: card.weight]
    case let seat as Seat: RiskRow(seat.value, .guest, number(seat.guest))
    case let guest as Guest: RiskRow(guest.value, .seat, number(guest.seat))
    case let label as Label:
      RiskRow(label.value, .name, label.name.flatMap(RiskProperty.name(of:)))
    case let binder as Binder: [.value: binder.value]
    case let sheet as Sheet: RiskRow(sheet.value, .binder, number(sheet.binder))
    case let holder as Holder: [.value: holder.value]
    case let part as Part: RiskRow(part.value, .holder, number(part.holder))
    default: [:]
    }
  }

  private func number(_ object: ManagedObject?) -> Int? {
    object.map { numbers[$0.objectID] ?? -1 }
  }

  func name(_ number: Int) -> String { "\(oracle.kinds[number]) \(number)" }

  mutating func story(_ line: String) { report.story.append("\(place): \(line)") }

  mutating func setValue(
    _ action: RiskAction, _ number: Int, _ content: Int, _ context: ManagedObjectContext
  ) {
    guard let object = object(number, context) else { return }
    let row = row(object)
    // A fault finds out here that its object is gone. After the next save it has no context.
    if object.isDeleted || object.managedObjectContext == nil { return }
    shown[place]?[number] = row
    let isWeight = object is Card && content % 2 == 0
    let property: RiskProperty = isWeight ? .weight : .value
    var value = content
    let edit = oracle.change(number, place)?.edits[property]
    switch action {
    case .setBack:
      guard let was = edit?.was else { return }
      value = was
    case .setEqual:
      guard edit == nil, let old = row[property], old == oracle.row(number, place)?[property]
      else { return }
      value = old
      history.setEqual.insert(number)
    default: if value == row[property] || value == edit?.was { value = (value + 1) % 1_000 }
    }
    story("\(name(number)).\(property) = \(value)")
    if isWeight, let card = object as? Card {
      card.weight = value
    } else {
      (object as? any RiskObject)?.value = value
    }
    if deferred != nil, !setup.children(of: place).isEmpty {
      deferred?.append(
        RiskDeferred(object: number, property: property, value: value, shown: row))
    } else {
      oracle.edit(number, property, to: value, shown: row, place)
      oracle.layers[place]?.own.insert(number)
      oracle.layers[place]?.isEdited = true
    }
    shown[place]?[number]?[property] = value
  }

  /// A value that is set to itself changes nothing, also while the event runs.
  private func checkEqual(
    _ action: RiskAction, _ number: Int, _ context: ManagedObjectContext
  ) throws {
    guard action == .setEqual, history.setEqual.contains(number) else { return }
    let (isChanged, expected) = (
      held[place]?[number]?.hasChanges, oracle.change(number, place) != nil
    )
    if isChanged == expected, context.hasChanges == oracle.hasChanges(place) { return }
    throw RiskFinding(
      aspect: .hasChanges, objects: [number], place: place,
      text: "of \(name(number)) in the event, not \(expected)")
  }

  mutating func create(_ op: Operation, _ context: ManagedObjectContext) {
    let kinds = family.kinds.filter { $0 != .part }
    let kind = kinds[op[2] % kinds.count]
    let number = oracle.make(kind)
    let object = kind.create(number, in: context)
    var row: RiskRow = [.value: 0]
    if kind == .card { row[.weight] = 0 }
    story("create \(name(number))")
    oracle.insert(number, row, place)
    register(object, number)
  }

  mutating func register(_ object: ManagedObject, _ number: Int) {
    ids[number] = object.objectID
    numbers[object.objectID] = number
    held[place, default: [:]][number] = object
    let row = row(object)
    shown[place, default: [:]][number] = row
  }

  mutating func delete(_ number: Int, _ context: ManagedObjectContext) {
    // What a deletion leads to is read by it.
    guard oracle.row(number, place) != nil, let object = object(number, context) else { return }
    // A part that has lost its holder cannot be saved; holders with parts stay.
    if !oracle.members(of: number, .holder, place).isEmpty { return }
    for sheet in oracle.members(of: number, .binder, place) { _ = self.object(sheet, context) }
    story("delete \(name(number))")
    renewShown()
    oracle.delete(number, place, shown: shown[place] ?? [:])
    object.delete()
    // Of what was never saved nothing is left.
    if oracle.change(number, place) == nil { held[place]?[number] = nil }
  }

  /// Reads again what the objects show that are held.
  mutating func renewShown() {
    for (number, object) in held[place] ?? [:] where !object.isDeleted {
      let row = row(object)
      shown[place]?[number] = row
    }
  }

  /// Objects show what is fetched from now on.
  mutating func adoptRows(of objects: Set<Int>) {
    for number in objects where held[place]?[number] != nil {
      let row = oracle.row(number, place)
      shown[place]?[number] = row
    }
  }

  private mutating func refresh(
    _ number: Int, isMine: Bool, _ context: ManagedObjectContext
  ) throws {
    guard let object = held[place]?[number], let change = oracle.change(number, place) else {
      return
    }
    let isDeletion = change.kind == .deleted
    if isMine {
      if object.isDeleted || isDeletion || change.kind == .inserted { return }
      if oracle.below(number, place) == nil { return }
      story("refresh \(name(number)), mergeChanges: true")
      context.refresh(object, mergeChanges: true)
      oracle.refresh(number, place)
      let row = oracle.row(number, place)
      shown[place]?[number] = row
    } else {
      let isRestored =
        history.restoredOverUnsaved.contains(number) && !isDeletion
        && (object.isDeleted || object.changedValues().isEmpty)
      if change.kind == .inserted { return }
      // What a child has brought of a link stays, and of its ends the dictionaries keep the newest alone.
      let layer = oracle.layers[place] ?? RiskLayer()
      let pairs = RiskPairs(layer, isRefresh: true)
      let unit = pairs.unit(of: [number]).union([number])
      if pairs.beganHalf(unit) { return }
      if !unit.isDisjoint(with: layer.brought), !isRestored { return }
      // What has gone with its owner comes back with it.
      if isDeletion, let owner = change.row[.binder], oracle.row(owner, place) == nil { return }
      story("refresh \(name(number)), mergeChanges: false")
      context.refresh(object, mergeChanges: false)
      if !isRestored { drop(number) }
    }
  }

  /// A context takes back its deletion of an object that a child has brought back: nothing changes.
  mutating func giveUpDeletion(_ number: Int, _ place: RiskPlace) throws {
    self.place = place
    history.deleters[number] = nil
    guard let context = contexts[place] else { return }
    try context.performAndWait { try refresh(number, isMine: false, $0.context) }
    try compareAll()
  }

  /// An end that leads again to an object which an edit of another unit has led elsewhere leads nowhere. One
  /// that has been led nowhere leads back.
  private mutating func leaveTaken(_ number: Int) {
    guard let row = oracle.below(number, place) else { return }
    for end in [RiskProperty.guest, .seat] {
      guard let partner = row[end], let back = end.back,
        let edit = oracle.change(partner, place)?.edits[back], edit.mine != number, !edit.isCleared
      else { continue }
      if edit.mine == nil {
        oracle.edit(partner, back, to: number, shown: shown[place]?[partner] ?? [:], place)
        shown[place]?[partner]?[back] = number
      } else {
        oracle.edit(number, end, to: nil, shown: row, place)
      }
    }
  }

  /// Whether an object leads to one that the context has led elsewhere.
  private func leadsToEdited(_ number: Int) -> Bool {
    guard let row = oracle.below(number, place) else { return false }
    return [RiskProperty.guest, .seat].contains { end in
      guard let partner = row[end], let back = end.back else { return false }
      return oracle.change(partner, place)?.edits[back] != nil
    }
  }

  /// The edits of an object are dropped; with a deletion, those that it has entailed.
  private mutating func drop(_ number: Int) {
    let wasDeletion = oracle.change(number, place)?.kind == .deleted
    let hasEnd = oracle.change(number, place)?.edits.keys.contains { $0.back != nil } == true
    // A refresh of one end drops the edits of its unit.
    let unit = RiskPairs(oracle.layers[place] ?? RiskLayer(), isRefresh: true).unit(of: [number])
    for other in unit {
      guard var change = oracle.change(other, place) else { continue }
      for property in [RiskProperty.guest, .seat] { change.edits[property] = nil }
      oracle.put(change, other, place)
    }
    oracle.layers[place]?.changes[number] = nil
    if hasEnd || leadsToEdited(number) { leaveTaken(number) }
    for other in unit.sorted() where other != number { leaveTaken(other) }
    guard wasDeletion else { return }
    oracle.clearDeleted(number, place)
    for other in oracle.kinds.indices {
      guard let change = oracle.change(other, place), change.kind == .deleted,
        change.row[.binder] == number
      else { continue }
      isOver = true
    }
  }

  /// Looks at all objects of a context as a fetch gives them.
  private mutating func look(_ context: ManagedObjectContext) throws {
    story("look")
    for kind in family.kinds {
      let objects = try kind.objects(in: context)
      let found = objects.map { numbers[$0.objectID] ?? -1 }
      if setup.comparesObjects { try checkLiving(objects, place) }
      if Set(objects.map(\.objectID)).count != objects.count {
        throw RiskFinding(
          aspect: .twin, objects: Set(found), place: place,
          text: "a fetch gives \(found.sorted())")
      }
    }
  }
}
