import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A code is unique among papers of all kinds.
@Suite(.againstHanging) struct SharedUniqueTests {
  private func letter(_ code: String, in context: ManagedObjectContext) -> Letter {
    let letter = Letter.create(in: context)
    letter.code = code
    return letter
  }

  @Test(arguments: StoreKind.allCases, Meeting.Level.allCases)
  func `objects of two subentities cannot have one value`(
    _ kind: StoreKind, _ level: Meeting.Level
  ) throws {
    let bench = try Archive.bench(kind)
    let meeting = Meeting(level, bench)
    let last = LastDunning.create(in: meeting.first)
    last.code = "taken"
    let letter = letter("taken", in: meeting.second)
    try meeting.meet(meeting.first)
    let error = cauldronError {
      if level == .root {
        try meeting.second.saveAndWait(toPersistentStore: true)
      } else {
        try meeting.meet(meeting.second)
      }
    }
    #expect(error?.code == .saveConstraint && error?.property == "code")
    #expect(error?.objectIDs.contains(letter.objectID) == true)
    letter.code = "free"
    try meeting.second.saveAndWait(toPersistentStore: true)
    try meeting.finish()
    let reader = bench.committed()
    #expect(try Paper.findAll(sortedBy: \.code, in: reader).map(\.code) == ["free", "taken"])
  }

  @Test(arguments: StoreKind.allCases)
  func `an object does not become one of another subentity`(_ kind: StoreKind) throws {
    let bench = try Archive.bench(kind)
    let maker = bench.child("Maker")
    Archive.fill(maker)
    try maker.saveAndWait(toPersistentStore: true)
    for policy in [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite] {
      let context = bench.child()
      let letter = letter("a", in: context)
      let error = cauldronError {
        try context.saveAndWait(toPersistentStore: true, mergePolicy: policy)
      }
      #expect(error?.code == .saveConstraint && letter.code == "a" && context.hasChanges)
    }
    #expect(try Paper.titles(in: bench.committed()) == "abcde")
    #expect(try (Paper.titled("a", in: bench.committed()) as? Bill)?.number == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `find or create finds subentities, and throws where another one has the value`(
    _ kind: StoreKind
  ) throws {
    let bench = try Archive.bench(kind)
    let maker = bench.child("Maker")
    Archive.fill(maker)
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child()
    #expect(try Bill.findOrCreate(\.code, "c", in: context) is LastDunning)
    #expect(try Dunning.findOrCreate(\.code, "b", in: context).level == 2)
    #expect(!context.hasChanges)
    let error = cauldronError { _ = try Card.findOrCreate(\.code, "a", in: context) }
    #expect(error?.code == .queryTypeMismatch && error?.property == "code" && !context.hasChanges)
    let wrong = Card.create(in: context)
    wrong.code = "a"
    let refusal = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(refusal?.code == .saveConstraint && refusal?.property == "code")
    wrong.delete()
    try context.saveAndWait(toPersistentStore: true)
    // Two contexts that ask for one value as two kinds.
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let bill = try Bill.findOrCreate(\.code, "new", in: first)
    let taken = cauldronError { _ = try Card.findOrCreate(\.code, "new", in: second) }
    #expect(taken?.code == .queryTypeMismatch && !second.hasChanges)
    try first.saveAndWait(toPersistentStore: true)
    #expect(
      try Paper.findAll(where: \.code == "new", in: second).map(\.objectID) == [bill.objectID])
  }
}
