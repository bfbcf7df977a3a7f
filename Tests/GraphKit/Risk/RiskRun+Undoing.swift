import Cauldron

/// What a context could undo and make again: its changes before and after each event.
struct RiskRecords {
  struct Record {
    let before: RiskLayer?
    let after: RiskLayer?
    /// What the event has edited, where a save lies between it and now; nil where none does.
    var edits: [Edit]?
  }

  /// The edit of a property, whatever is saved of it.
  struct Edit {
    let object: Int
    let property: RiskProperty
    let from: Int?
    let to: Int?
  }

  var done: [Record] = []
  var undone: [Record] = []

  /// Nothing is undone any more, because what it would be is not known.
  mutating func clear(_ context: ManagedObjectContext?) {
    if done.isEmpty, undone.isEmpty { return }
    (done, undone) = ([], [])
    context?.performAndWait { $0.context.undoManager?.removeAllActions() }
  }

  /// What was noted before a save is undone by its values. Of what has created or deleted objects the
  /// dictionaries do not know what comes back, and nothing before it is undone.
  mutating func save() {
    done = Self.saved(done)
    undone = Self.saved(undone)
  }

  private static func saved(_ records: [Record]) -> [Record] {
    var kept: [Record] = []
    for var record in records.reversed() {
      guard let edits = record.edits ?? record.values else { break }
      record.edits = edits
      kept.append(record)
    }
    return kept.reversed()
  }
}

extension RiskRecords.Record {
  /// What an event has edited; nil where it has created or deleted an object, or a delete rule has cleared
  /// a reference.
  fileprivate var values: [RiskRecords.Edit]? {
    let (old, new) = (before?.changes ?? [:], after?.changes ?? [:])
    var edits: [RiskRecords.Edit] = []
    for number in Set(old.keys).union(new.keys).sorted() where old[number] != new[number] {
      let (was, mine) = (old[number], new[number])
      guard [was, mine].allSatisfy({ $0 == nil || $0?.kind == .updated }) else { return nil }
      for property in RiskProperty.allCases {
        let (first, last) = (was?.edits[property], mine?.edits[property])
        if first == last { continue }
        if first?.isCleared == true || last?.isCleared == true { return nil }
        let from = first.map(\.mine) ?? last?.was
        let to = last.map(\.mine) ?? first?.was
        edits.append(.init(object: number, property: property, from: from, to: to))
      }
    }
    return edits
  }

  /// The same the other way round.
  fileprivate var reversed: RiskRecords.Record {
    .init(
      before: after, after: before,
      edits: edits?.map {
        .init(object: $0.object, property: $0.property, from: $0.to, to: $0.from)
      })
  }
}

extension RiskRun {
  /// Whether contexts note what can be undone.
  var undoes: Bool { family == .undo || family == .deletions }

  /// Notes what an event has changed.
  mutating func note(since before: RiskLayer?) {
    guard undoes else { return }
    let after = oracle.layers[place]
    if before?.changes == after?.changes { return }
    records[place, default: .init()].done.append(.init(before: before, after: after))
    records[place]?.undone = []
  }

  /// Undoes the last event, or makes it again, where nothing has changed since.
  mutating func reverse(isRedo: Bool) throws {
    guard let context = contexts[place], undoes else { return }
    guard let record = isRedo ? records[place]?.undone.popLast() : records[place]?.done.popLast()
    else { return }
    if let edits = record.edits { return try reverse(edits, record, isRedo: isRedo) }
    guard oracle.layers[place]?.changes ?? [:] == record.after?.changes ?? [:] else {
      forgetRecords()
      return
    }
    // What others have deleted since is not there to be changed, or to come back.
    let isThere = (record.after?.changes ?? [:]).allSatisfy { number, change in
      change.kind == .inserted || oracle.below(number, place) != nil
    }
    if !isThere {
      forgetRecords()
      return
    }
    try reverse(context, isRedo: isRedo)
    oracle.layers[place] = record.before
    for (number, change) in record.after?.changes ?? [:] where change.kind == .inserted {
      if oracle.row(number, place) == nil { oracle.annulled.insert(number) }
    }
    held[place] = (held[place] ?? [:]).filter { oracle.row($0.key, place) != nil }
    keep(record.reversed, isRedo: isRedo)
    try context.performAndWait { try findAgain($0.context) }
    let before = record.before?.changes ?? [:]
    let after = record.after?.changes ?? [:]
    for number in Set(before.keys).union(after.keys) where before[number] != after[number] {
      adopt(number, before[number], after[number])
    }
  }

  private mutating func reverse(_ context: ManagedObjectContext, isRedo: Bool) throws {
    story(isRedo ? "redo" : "undo")
    do {
      try context.performAndWait { local in
        if isRedo { try local.context.redo() } else { try local.context.undo() }
      }
    } catch {
      throw RiskFinding(aspect: .undo, place: place, text: "\(error)")
    }
  }

  private mutating func keep(_ record: RiskRecords.Record, isRedo: Bool) {
    if isRedo {
      records[place]?.done.append(record)
    } else {
      records[place]?.undone.append(record)
    }
  }

  /// Undoes, or makes again, what a save lies after: these are edits like any other.
  private mutating func reverse(
    _ edits: [RiskRecords.Edit], _ record: RiskRecords.Record, isRedo: Bool
  ) throws {
    guard let context = contexts[place] else { return }
    context.performAndWait { _ in renewShown() }
    // What shows another value since is another matter.
    let isAsLeft = edits.allSatisfy { edit in
      let rows = [oracle.row(edit.object, place), shown[place]?[edit.object]]
      return rows.allSatisfy { $0.map { $0[edit.property] == edit.to } ?? false }
        && (edit.property != .binder || edit.from.map { oracle.row($0, place) != nil } ?? true)
    }
    if edits.isEmpty || !isAsLeft { return forgetRecords() }
    try reverse(context, isRedo: isRedo)
    for edit in edits {
      let row = shown[place]?[edit.object] ?? [:]
      oracle.edit(edit.object, edit.property, to: edit.from, shown: row, place)
      shown[place]?[edit.object]?[edit.property] = edit.from
    }
    report.meet("undone after a save")
    keep(record.reversed, isRedo: isRedo)
  }

  private mutating func forgetRecords() {
    records[place] = RiskRecords()
    contexts[place]?.performAndWait { $0.context.undoManager?.removeAllActions() }
  }

  /// An object shows what an undo has given it, and else what it has shown before.
  private mutating func adopt(_ number: Int, _ before: RiskChange?, _ after: RiskChange?) {
    let row = oracle.row(number, place)
    guard (before ?? after)?.kind == .updated, (after ?? before)?.kind == .updated else {
      shown[place]?[number] = row
      return
    }
    let edited = Set((before?.edits ?? [:]).keys).union((after?.edits ?? [:]).keys)
    for property in edited {
      let value = before?.edits[property].map(\.mine) ?? after?.edits[property]?.was
      shown[place]?[number]?[property] = value
    }
  }
}
