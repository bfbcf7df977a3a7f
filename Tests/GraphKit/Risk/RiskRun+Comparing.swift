import Cauldron

extension RiskRun {
  /// Looks at the contexts that an operation may have changed something for, or at all.
  mutating func compareAll(full: Bool = true) throws {
    for place in full ? setup.places : setup.chain(place) { try compare(place) }
    try compareLists()
    if full { try compareFile() }
  }

  /// Looks whether a context that sees the committed rows alone finds those of the dictionaries.
  private func compareFile() throws {
    let reader = ManagedObjectContext(.private, coordinator: stage.stack.coordinator)
    try reader.performAndWait { local in
      for kind in family.kinds { try compareRows(kind, nil, local.context) }
    }
  }

  /// Looks whether a context fetches and shows what the dictionaries have.
  private mutating func compare(_ place: RiskPlace) throws {
    guard let context = contexts[place] else { return }
    try context.performAndWait { local in
      for kind in family.kinds { try compareRows(kind, place, local.context) }
      for (number, object) in held[place] ?? [:] { try compare(object, number, place) }
      if local.context.hasChanges != oracle.hasChanges(place) {
        let touched = Set(oracle.layers[place]?.changes.keys.map { $0 } ?? [])
        let updated = local.context.updatedObjects.compactMap { numbers[$0.objectID] }
        throw RiskFinding(
          aspect: .hasChanges, objects: touched.union(updated), place: place,
          text: "\(local.context.hasChanges), not \(oracle.hasChanges(place))")
      }
      try compareSets(place, local.context)
    }
  }

  /// The inserted, updated and deleted objects of a context are those of the dictionaries.
  private mutating func compareSets(_ place: RiskPlace, _ context: ManagedObjectContext) throws {
    guard setup.comparesSets else { return }
    let layer = oracle.layers[place] ?? RiskLayer()
    let seen: [(RiskChange.Kind, [ManagedObject])] = [
      (.inserted, context.insertedObjects), (.updated, context.updatedObjects),
      (.deleted, context.deletedObjects),
    ]
    for (kind, objects) in seen {
      let expected = Set(layer.changes.keys.filter { self.kind(of: $0, layer, place) == kind })
      let found = Set(
        objects.compactMap { object in
          let number = numbers[object.objectID] ?? -1
          // The owner of a changed relationship, of which the dictionaries know nothing.
          let isTouched =
            kind == .updated && object.isUpdated && !object.hasPersistentChangedValues
            && !object.changedValues().isEmpty && !expected.contains(number)
          return isTouched ? nil : number
        })
      if kind == .updated { noteSetBack(found.subtracting(expected), found, place) }
      // What a child has brought and a refresh has found below, too, is listed or not.
      let equal = layer.brought.filter { oracle.row($0, place) == oracle.below($0, place) }
      let differing = found.symmetricDifference(expected).subtracting(setBack[place] ?? [])
        .subtracting(kind == .updated ? equal : [])
      if differing.isEmpty { continue }
      throw RiskFinding(
        aspect: .sets, objects: differing, place: place,
        text: "\(kind) are \(found.sorted()), not \(expected.sorted())")
    }
  }

  /// Notes the objects that a child's save has changed, and another part of that save has changed back: they
  /// are updated with their old values. Each part is decided by itself, the dictionaries decide them as one.
  private mutating func noteSetBack(_ more: Set<Int>, _ updated: Set<Int>, _ place: RiskPlace) {
    setBack[place, default: []].formIntersection(updated)
    if place == self.place { return }
    setBack[place]?.formUnion(more.filter { oracle.row($0, place) == oracle.below($0, place) })
  }

  /// What a context does to an object: an insertion over a row that is there again is an edit.
  private func kind(of object: Int, _ layer: RiskLayer, _ place: RiskPlace) -> RiskChange.Kind? {
    guard let change = layer.changes[object] else { return nil }
    let isThere = change.kind == .inserted && oracle.below(object, place) != nil
    return isThere ? .updated : change.kind
  }

  private func compareRows(
    _ kind: RiskKind, _ place: RiskPlace?, _ context: ManagedObjectContext
  ) throws {
    let rows = try kind.rows(in: context).sorted { $0.number < $1.number }
    let living = oracle.living(kind, place)
    let seen = rows.map(\.number)
    if seen != living {
      throw RiskFinding(
        aspect: twice(seen).isEmpty ? .rows : .twin,
        objects: Set(seen).symmetricDifference(living).union(twice(seen)),
        place: place ?? .root, text: "\(kind) \(seen), not \(living)")
    }
    for (number, row) in rows {
      let expected = oracle.row(number, place) ?? [:]
      for property in kind.properties where row[property] != expected[property] {
        // What comes back leads nowhere where the context has deleted its target meanwhile.
        if row[property] == nil, property.destination != nil, let target = expected[property],
          oracle.row(target, place) == nil
        {
          continue
        }
        throw RiskFinding(
          aspect: .fetched, objects: [number], place: place ?? .root,
          text: "\(property) of \(name(number)) is \(text(row[property])), "
            + "not \(text(expected[property]))")
      }
    }
    if setup.comparesObjects, !history.restored.isEmpty {
      try checkLiving(try kind.objects(in: context), place ?? .root)
    }
    guard setup.comparesCounts else { return }
    let count = try kind.count(in: context)
    if count != living.count {
      throw RiskFinding(
        aspect: .count, place: place ?? .root, text: "\(kind) \(count), not \(living.count)")
    }
  }

  /// No fetch gives an object that is deleted.
  func checkLiving(_ objects: [ManagedObject], _ place: RiskPlace) throws {
    guard let deleted = objects.first(where: \.isDeleted) else { return }
    let number = numbers[deleted.objectID] ?? -1
    throw RiskFinding(
      aspect: .deleted, objects: [number], place: place,
      text: "a fetch gives \(number), which is deleted")
  }

  private func twice(_ numbers: [Int]) -> Set<Int> {
    Set(numbers.filter { number in numbers.count { $0 == number } > 1 })
  }

  func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "nil" }

  /// An object shows its edits, and else what is fetched, or what it has shown before.
  mutating func compare(
    _ object: ManagedObject, _ number: Int, _ place: RiskPlace
  ) throws {
    guard let expected = oracle.row(number, place), !object.isDeleted else { return }
    let seen = row(object)
    let last = shown[place]?[number]
    for property in oracle.kinds[number].properties {
      let isOwn = oracle.change(number, place)?.edits[property] != nil
      if seen[property] == expected[property] { continue }
      let passed = passing[place]?[number] ?? []
      if !isOwn,
        ([last].compactMap { $0 } + passed).contains(where: { $0[property] == seen[property] })
      {
        if last?[property] != seen[property], !setup.merging.contains(place) {
          // What became of its own save further up shows others' changes, too.
          report.passed[.g29, default: 0] += 1
        }
        // What contexts above have changed of their own is learned of when they save it, and never where they
        // take it back; the context is looked at from now on as one that does not merge.
        following.remove(place)
        continue
      }
      throw RiskFinding(
        aspect: .getter, objects: [number], place: place,
        text: "\(property) of \(name(number)) is \(text(seen[property])), "
          + "not \(text(expected[property])), and was \(text(last?[property]))")
    }
    shown[place, default: [:]][number] = seen
    passing[place]?[number] = nil
  }

  /// Notes what contexts may have taken in: those that merge, and of what they have saved, all.
  mutating func notePassing() {
    for place in setup.places {
      let merges = setup.merging.contains(place)
      for number in (held[place] ?? [:]).keys
      where merges || sent[place]?.contains(number) == true {
        guard let row = oracle.row(number, place) else { continue }
        if passing[place]?[number]?.last != row {
          passing[place, default: [:]][number, default: []].append(row)
        }
      }
    }
  }

  /// What holds whatever was saved: each object has one row and one ID, is counted once, and is not
  /// deleted; both ends of a link know of each other; names are there once.
  func checkInvariants() throws {
    for place in setup.places {
      try contexts[place]?.performAndWait { local in
        for kind in family.kinds { try checkInvariants(kind, place, local.context) }
      }
    }
    if family == .pairs { try checkPairs() }
  }

  private func checkInvariants(
    _ kind: RiskKind, _ place: RiskPlace, _ context: ManagedObjectContext
  ) throws {
    let objects = try kind.objects(in: context)
    let found = objects.map { numbers[$0.objectID] ?? -1 }.sorted()
    if Set(objects.map(\.objectID)).count != objects.count {
      throw RiskFinding(
        aspect: .twin, objects: Set(found), place: place, text: "a fetch gives \(kind) \(found)")
    }
    let rows = try kind.rows(in: context)
    // A new object that became another one has that one's ID and its own number.
    let isSame =
      history.isCollision
      ? rows.count == found.count : rows.map(\.number).sorted() == found
    if !isSame {
      let seen = rows.map(\.number)
      throw RiskFinding(
        aspect: twice(seen).isEmpty ? .rows : .twin,
        objects: Set(seen).symmetricDifference(found).union(twice(seen)), place: place,
        text: "\(kind) \(rows.map(\.number).sorted()), and objects \(found)")
    }
  }

  /// In the file both ends of a link know of each other.
  private func checkPairs() throws {
    let reader = ManagedObjectContext(.private, coordinator: stage.stack.coordinator)
    try reader.performAndWait { local in
      let seats = try RiskKind.seat.rows(in: local.context)
      let guests = try RiskKind.guest.rows(in: local.context)
      let there = Set(seats.compactMap { seat in seat.row[.guest].map { [seat.number, $0] } })
      let back = Set(guests.compactMap { guest in guest.row[.seat].map { [$0, guest.number] } })
      guard let half = there.symmetricDifference(back).first else { return }
      throw RiskFinding(
        aspect: .half, objects: Set(half), place: place,
        text: "of \(name(half[0])) and \(name(half[1])) one leads to the other in the file")
    }
  }
}
