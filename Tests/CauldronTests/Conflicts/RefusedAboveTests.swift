import Cauldron
import TestSupport
import Testing

@Entity final class Striker: ManagedObject {
  var name: String = ""
  var goals: Int = 0
  var fouls: Int = 0
  @Relationship(inverse: \Squad.players) var squad: Squad?
  @Relationship(inverse: \Coach.pupils) var coach: Coach?
}

@Entity final class Coach: ManagedObject {
  var name: String = ""
  @Relationship var pupils: ToMany<Striker>
}

@Entity final class Squad: ManagedObject {
  var name: String = ""
  @Relationship(deleteRule: .deny) var players: ToMany<Striker>
}

/// A policy decides at one level, and a level above refuses the save: then nothing has been decided.
@Suite(.againstHanging, .ownThread) struct RefusedAboveTests {
  private let bench: Bench
  private let middle: ManagedObjectContext
  private let mine: ManagedObjectContext

  /// In the middle a player has 7 goals; the store alone knows that the squad has a player.
  init() throws {
    bench = try Bench(.file, model: ManagedObjectModel(Striker.self, Squad.self, Coach.self))
    middle = bench.child("Middle")
    mine = bench.child("Mine", of: middle)
    let maker = bench.committed()
    for name in ["ann", "bob"] { Striker.create(in: maker).name = name }
    Squad.create(in: maker).name = "red"
    try maker.save()
  }

  /// Has the middle and the store change after the own context has read.
  private func prepare() throws -> (Striker, Squad) {
    let ann = try #require(try Striker.findFirst(\.name, "ann", in: mine))
    let squad = try #require(try Squad.findFirst(in: mine))
    _ = (ann.goals, squad.players.count)
    try Striker.findFirst(\.name, "ann", in: middle)?.goals = 7
    try middle.saveAndWait(toPersistentStore: false)
    let other = bench.committed()
    try Striker.findFirst(\.name, "bob", in: other)?.squad = try Squad.findFirst(in: other)
    squad.delete()
    try other.saveAndWait(toPersistentStore: true)
    return (ann, squad)
  }

  static let policies: [MergePolicy] = [
    .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback, .overwrite,
  ]

  private func refuse(_ policy: MergePolicy, at location: SourceLocation = #_sourceLocation) {
    let error = cauldronError {
      try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    }
    #expect(error?.code == .validationDenied, "\(error as Any)", sourceLocation: location)
    mine.processPendingChanges()
  }

  @Test(arguments: policies)
  func `edits are there again, and in conflict still`(_ policy: MergePolicy) throws {
    let (ann, squad) = try prepare()
    (ann.goals, ann.fouls) = (5, 3)
    refuse(policy)
    #expect(ann.goals == 5 && ann.fouls == 3)
    #expect(Set(ann.changedValues().keys) == ["goals", "fouls"])
    #expect(ann.conflicts.flatMap(\.properties).map(\.name) == ["goals"])
    mine.refresh(squad, mergeChanges: false)
    #expect(cauldronError { try mine.saveAndWait(toPersistentStore: true) }?.code == .saveConflict)
    mine.refresh(ann, mergeChanges: true)
    try mine.saveAndWait(toPersistentStore: true)
    let stored = try Striker.findFirst(\.name, "ann", in: bench.committed())
    #expect(stored?.goals == 5 && stored?.fouls == 3)
  }

  @Test(arguments: policies)
  func `a deletion is there again, and in conflict still`(_ policy: MergePolicy) throws {
    let (ann, squad) = try prepare()
    ann.delete()
    refuse(policy)
    #expect(ann.isDeleted && mine.deletedObjects.contains(ann))
    mine.refresh(squad, mergeChanges: false)
    #expect(cauldronError { try mine.saveAndWait(toPersistentStore: true) }?.code == .saveConflict)
    mine.refresh(ann, mergeChanges: false)
    #expect(!ann.isDeleted && ann.goals == 7)
  }

  @Test func `what was decided for a save that ended with its parent stays`() throws {
    let (ann, squad) = try prepare()
    mine.refresh(squad, mergeChanges: false)
    (ann.goals, ann.fouls) = (5, 3)
    try mine.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyStoreTrump)
    mine.processPendingChanges()
    #expect(ann.goals == 7 && ann.fouls == 3)
  }

  @Test func `an object is written as it shows after the refusal, and no edit is added`() throws {
    let (ann, squad) = try prepare()
    try Striker.findFirst(\.name, "ann", in: middle)?.fouls = 9
    try middle.saveAndWait(toPersistentStore: false)
    ann.goals = 5
    refuse(.overwrite)
    #expect(Set(ann.changedValues().keys) == ["goals"])
    mine.refresh(squad, mergeChanges: false)
    let shown = (ann.goals, ann.fouls)
    try mine.saveAndWait(toPersistentStore: true, mergePolicy: .overwrite)
    #expect((ann.goals, ann.fouls) == shown)
    let stored = try Striker.findFirst(\.name, "ann", in: bench.committed())
    #expect(stored?.goals == shown.0 && stored?.fouls == shown.1)
  }
}
