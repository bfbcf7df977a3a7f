import Cauldron
import Foundation

extension ListRun {
  mutating func carryOut(_ op: Operation) throws {
    let context = contexts[op[1] % contexts.count]
    story.append("\(op): \(context.name)")
    switch op[0] % 40 {
    case 0..<9: try edit(context, op) { try insert($0, op) }
    case 9..<17: try edit(context, op) { try change($0, op) }
    case 17..<20: try edit(context, op) { try delete($0, op) }
    case 20..<25: try edit(context, op) { try relate($0, op) }
    case 25..<28: _ = try? context.saveAndWait(toPersistentStore: false)
    case 28..<30: _ = try? context.saveAndWait(toPersistentStore: true)
    case 30: context.performAndWait { $0.context.rollback() }
    case 31: try forget(op)
    case 32: context.automaticallyMergesChangesFromParent = op[2] % 2 == 0
    case 33: try refresh(context, op)
    case 34: try writeElsewhere(context, op)
    case 35: try failToSave(context)
    case 36..<38: try changeList(op)
    default: try batch(context, op)
    }
  }

  private func edit(
    _ context: ManagedObjectContext, _ op: Operation, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try context.performAndWait { local in
      for round in 0...(op[3] % 3) where round == 0 || op[2] % 2 == 0 {
        try body(local.context)
        if op[3] % 7 == 0 { local.context.processPendingChanges() }
      }
    }
  }

  private func insert(_ context: ManagedObjectContext, _ op: Operation) throws {
    switch op[2] % 6 {
    case 0: Disc.create(in: context).name = ["one", "two", "three", ""][op[3] % 4]
    case 1 where op[3] % 3 == 0: Artist.create(in: context).name = ["ann", "bob", "abe"][op[3] % 3]
    case 1: Label.create(in: context).name = ["red", "blue"][op[3] % 2]
    default:
      let track = op[3] % 4 == 0 ? Remix.create(in: context) : Track.create(in: context)
      set(track, op)
      if op[3] % 2 == 0 { track.disc = try pick(Disc.self, op[2], context) }
    }
  }

  private func set(_ track: Track, _ op: Operation) {
    track.number = op[2] % 100
    track.title = ["apple", "Ångström", "bear", "Zoe", "", "élan", "aaa", "beta"][op[2] / 3 % 8]
    track.rating = op[2] % 3 == 0 ? nil : Double(op[2] % 5)
    track.added =
      op[2] % 4 == 0
      ? nil : Date(timeIntervalSinceReferenceDate: Double(op[2] % 13 - 6) * 40_000)
  }

  private func change(_ context: ManagedObjectContext, _ op: Operation) throws {
    guard let track = try pick(Track.self, op[2], context) else { return }
    switch op[3] % 8 {
    case 0: track.number = op[2] / 7 % 100
    case 1: track.title = ["apple", "bear", "Axe", "ähre"][op[2] / 7 % 4]
    case 2: track.rating = op[2] % 2 == 0 ? nil : 1.5
    case 3: track.added = Date(timeIntervalSinceReferenceDate: Double(op[2] % 9) * 86_400)
    case 4: track.number = track.number
    case 5:
      let number = track.number
      track.number = number + 1
      track.number = number
    case 6: try pick(Disc.self, op[2], context)?.name = ["one", "four"][op[2] / 5 % 2]
    default: try pick(Artist.self, op[2], context)?.name = ["ann", "zoe"][op[2] / 5 % 2]
    }
  }

  private func delete(_ context: ManagedObjectContext, _ op: Operation) throws {
    switch op[3] % 6 {
    case 0: try pick(Disc.self, op[2], context)?.delete()
    case 1: try pick(Label.self, op[2], context)?.delete()
    case 2 where op[2] % 3 == 0: try pick(Artist.self, op[2], context)?.delete()
    default: try pick(Track.self, op[2], context)?.delete()
    }
  }

  private func relate(_ context: ManagedObjectContext, _ op: Operation) throws {
    guard let track = try pick(Track.self, op[2], context) else { return }
    switch op[3] % 5 {
    case 0: track.disc = try pick(Disc.self, op[2] / 7, context)
    case 1: track.disc = nil
    case 2: try pick(Label.self, op[2] / 5, context).map { track.labels.insert($0) }
    case 3: try pick(Label.self, op[2] / 5, context).map { track.labels.remove($0) }
    default:
      try pick(Disc.self, op[2] / 7, context)?.artist = try pick(Artist.self, op[2] / 3, context)
    }
  }

  private func pick<Object: ManagedEntity>(
    _ type: Object.Type, _ number: Int, _ context: ManagedObjectContext
  ) throws -> Object? {
    let all = try Object.findAll(in: context).sorted { $0.objectID.key < $1.objectID.key }
    return all.isEmpty ? nil : all[number % all.count]
  }
}
