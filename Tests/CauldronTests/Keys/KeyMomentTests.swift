import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Reads in the middle of which an object gets the key that the store has for it.
@Suite(.againstHanging) struct KeyMomentTests {
  /// What a context does while the key is exchanged.
  enum Read: CaseIterable {
    case fetch, ids, count, result, walk, byCompany, existing, refresh, edit
  }

  /// When the exchange happens.
  enum Moment: CaseIterable {
    /// In the middle of the first read that reaches the store.
    case reading
    /// The read runs while the commit that follows the exchange is in flight.
    case committing
  }

  @Test(arguments: Read.allCases, [true, false])
  func `a read that is interrupted by the exchange is about one object`(
    _ read: Read, _ isRegistered: Bool
  ) throws {
    for kind in StoreKind.allCases {
      for moment in Moment.allCases { try check(read, isRegistered, kind, moment) }
    }
  }

  private func check(
    _ read: Read, _ isRegistered: Bool, _ kind: StoreKind, _ moment: Moment
  ) throws {
    let bench = try KeyBench(kind)
    let child = bench.child()
    let acme = Company.named("acme", in: child)
    let jack = Person.named("jack", at: acme, in: child)
    let old = [acme.objectID, jack.objectID]
    try child.save()
    let reader = bench.fresh()
    let known = isRegistered ? try Person.findAll(in: reader) : []
    let label = Comment(rawValue: "\(read) \(kind) \(moment)")
    switch moment {
    case .reading:
      bench.store.interruption = { _ = try? bench.root.saveAndWait(toPersistentStore: true) }
      try run(read, old, reader, label)
      // Some reads do not reach the store.
      bench.store.interruption = nil
      try bench.root.saveAndWait(toPersistentStore: true)
    case .committing:
      let failure = Locked<(any Error)?>(nil)
      bench.store.pause = {
        do {
          try run(read, old, reader, label)
        } catch {
          failure.withLock { $0 = error }
        }
      }
      try bench.root.saveAndWait(toPersistentStore: true)
      bench.store.pause = nil
      if let error = failure.withLock({ $0 }) { throw error }
    }
    try run(read, old, reader, label)
    let people = try Person.findAll(in: reader)
    #expect(people.count == 1 && (known.isEmpty || people == known), label)
    #expect(people.first?.objectID == jack.objectID && !jack.objectID.isProvisional, label)
    let registered = reader.registeredObjects
    #expect(Set(registered.map(\.objectID)).count == registered.count, label)
  }

  private func run(
    _ read: Read, _ ids: [ManagedObjectID], _ reader: ManagedObjectContext, _ label: Comment
  ) throws {
    let jack = reader.object(with: ids[1])
    switch read {
    case .fetch: #expect(try Person.findAll(in: reader).map(\.name) == ["jack"], label)
    case .ids:
      let found = try reader.fetchObjectIDs(FetchRequest<Person>())
      #expect(found.count == 1 && reader.object(with: found[0]) === jack, label)
    case .count: #expect(try Person.count(in: reader) == 1, label)
    case .result:
      let people = reader.objects(of: try reader.fetchResult(FetchRequest<Person>()))
      #expect(people.count == 1 && people[0] === jack && people[0].name == "jack", label)
    case .walk:
      let acme = try #require(try reader.existingObject(with: ids[0]) as? Company)
      #expect(acme.employees.objects == [jack], label)
    case .byCompany:
      var request = FetchRequest<Person>()
      request.predicate = .refersTo(key: "employer", [ids[0]])
      #expect(try reader.fetch(request) == [jack], label)
    case .existing:
      #expect(try reader.existingObject(with: ids[1]) === jack, label)
      #expect((jack as? Person)?.employer?.name == "acme", label)
    case .refresh:
      reader.refresh(jack, mergeChanges: true)
      #expect((jack as? Person)?.name == "jack" && !jack.isDeleted, label)
    case .edit:
      (jack as? Person)?.age += 1
      reader.processPendingChanges()
      try reader.save()
    }
  }
}
