import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What Apple's framework was seen to do where two contexts change the same, as the list of acceptance
/// has it under 26 to 28.
@Suite(.againstHanging) struct ConflictAcceptanceTests {
  private let bench: Bench
  private let id: ManagedObjectID
  private let mine: ManagedObjectContext
  private let object: Witness

  init() throws {
    bench = try Witness.bench(.file)
    let maker = bench.committed()
    id = Witness.named("old", in: maker).objectID
    try maker.save()
    mine = bench.committed()
    object = try #require(try Witness.find(id, in: mine))
  }

  private func theyEdit(_ edit: (Witness) -> Void) throws {
    let theirs = bench.committed()
    edit(try #require(try Witness.find(id, in: theirs)))
    try theirs.save()
  }

  // Apple compares whole rows, which `.strict` does here. Its conflict has the row of the cache and none of
  // the store where both are in one process; here the other row is `persistedSnapshot` wherever it is from.
  @Test func `acceptance 26: another's commit is an error with both versions`() throws {
    try theyEdit { $0.count = 8 }
    object.name = "mine"
    let error = cauldronError { try mine.save(mergePolicy: .strict) }
    #expect(error?.code.coreDataCode == 133_020 && error?.conflicts.count == 1)
    let conflict = try #require(error?.conflicts.first)
    #expect(conflict.objectID == id && conflict.objectSnapshot["count"] == .integer(7))
    #expect(conflict.persistedSnapshot?["count"] == .integer(8))
    #expect(conflict.newVersion == conflict.oldVersion + 1)
    #expect(object.name == "mine" && mine.hasChanges)
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, "theirs", 8, Int?.some(5)),
    (.mergeByPropertyObjectTrump, "mine", 8, 5), (.overwrite, "mine", 7, 5),
    (.rollback, "theirs", 8, nil),
  ])
  func `acceptance 27: the four policies, of one attribute that both have changed`(
    _ policy: MergePolicy, _ name: String, _ count: Int, _ saves: Int?
  ) throws {
    object.name = "mine"
    object.saves = 4
    try theyEdit { ($0.name, $0.count) = ("theirs", 8) }
    try mine.save(mergePolicy: policy)
    for shown in [object, try #require(try Witness.find(id, in: bench.committed()))] {
      // `willSave` of a witness counts one more.
      #expect(shown.name == name && shown.count == count && shown.saves == saves)
    }
    #expect(!mine.hasChanges)
  }

  @Test(arguments: [
    (MergePolicy.error, false), (.mergeByPropertyStoreTrump, true),
    (.mergeByPropertyObjectTrump, true),
  ])
  func `acceptance 28: a unique value that is there refuses, or leads to the row that has it`(
    _ policy: MergePolicy, _ isSaved: Bool
  ) throws {
    let bench = try Glossary.bench(.file)
    let maker = bench.committed()
    let old = Keyword.named("swift", in: maker)
    old.count = 7
    try maker.save()
    let context = bench.committed()
    let new = Keyword.named("swift", in: context)
    new.count = 9
    let remark = Remark.create(in: context)
    remark.tag = new
    if isSaved {
      try context.save(mergePolicy: policy)
    } else {
      let error = cauldronError { try context.save(mergePolicy: policy) }
      #expect(error?.code.coreDataCode == 133_021)
    }
    let stored = try Keyword.findAll(in: bench.committed())
    #expect(stored.map(\.objectID) == [old.objectID])
    #expect(stored.map(\.count) == [policy == .mergeByPropertyObjectTrump ? 9 : 7])
    #expect(stored.first?.remarks.count == (isSaved ? 1 : 0))
    if isSaved { #expect(remark.tag?.objectID == old.objectID) }
  }
}
