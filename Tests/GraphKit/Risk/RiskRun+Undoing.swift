import Cauldron

/// What a context could undo and make again: its changes before and after each event.
struct RiskRecords {
  struct Record {
    let before: RiskLayer?
    let after: RiskLayer?
  }

  var done: [Record] = []
  var undone: [Record] = []

  /// Nothing is undone any more, because what it would be is not known.
  mutating func clear(_ context: ManagedObjectContext?) {
    if done.isEmpty, undone.isEmpty { return }
    (done, undone) = ([], [])
    context?.performAndWait { $0.context.undoManager?.removeAllActions() }
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
    guard oracle.layers[place]?.changes ?? [:] == record.after?.changes ?? [:] else {
      records[place]?.clear(context)
      context.performAndWait { $0.context.undoManager?.removeAllActions() }
      return
    }
    // What others have deleted since is not there to be changed, or to come back.
    let isThere = (record.after?.changes ?? [:]).allSatisfy { number, change in
      change.kind == .inserted || oracle.below(number, place) != nil
    }
    if !isThere {
      context.performAndWait { $0.context.undoManager?.removeAllActions() }
      records[place] = RiskRecords()
      return
    }
    story(isRedo ? "redo" : "undo")
    do {
      try context.performAndWait { local in
        if isRedo { try local.context.redo() } else { try local.context.undo() }
      }
    } catch {
      throw RiskFinding(aspect: .undo, place: place, text: "\(error)")
    }
    oracle.layers[place] = record.before
    for (number, change) in record.after?.changes ?? [:] where change.kind == .inserted {
      if oracle.row(number, place) == nil { oracle.annulled.insert(number) }
    }
    held[place] = (held[place] ?? [:]).filter { oracle.row($0.key, place) != nil }
    let reversed = RiskRecords.Record(before: record.after, after: record.before)
    if isRedo {
      records[place]?.done.append(reversed)
    } else {
      records[place]?.undone.append(reversed)
    }
    try context.performAndWait { try findAgain($0.context) }
    let before = record.before?.changes ?? [:]
    let after = record.after?.changes ?? [:]
    for number in Set(before.keys).union(after.keys) where before[number] != after[number] {
      adopt(number, before[number], after[number])
    }
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
