import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// An edit of an object that the parent has created and deleted again.
@Suite(.againstHanging, .ownThread) struct DiscardedObjectTests {
  private let bench: Bench
  private let parent: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    parent = bench.child("Parent")
  }

  /// The code with which an edit of a discarded object is refused.
  /// - Parameter isApart: Whether another save lies between the creation of the object and its
  ///   deletion.
  private func refusal(isApart: Bool) throws -> CauldronError.Code? {
    let (mine, other) = (bench.child("Mine", of: parent), bench.child("Other", of: parent))
    let firm = parent.performAndWait { Company.named("firm", in: $0.context) }
    let id = firm.objectID
    try mine.performAndWait { local in
      try #require(try local.context.existingObject(with: id) as? Company).rating = 3
    }
    if isApart {
      other.performAndWait { _ = Person.named("ann", in: $0.context) }
      try other.saveAndWait(toPersistentStore: false)
    }
    parent.performAndWait { _ in firm.delete() }
    return cauldronError { try mine.saveAndWait(toPersistentStore: false) }?.code
  }

  @Test func `an edit of a discarded object ends alike, whatever was saved meanwhile`() throws {
    let (together, apart) = (try refusal(isApart: false), try refusal(isApart: true))
    #expect(together != nil && apart != nil)
    #expect(together == apart)
  }
}
