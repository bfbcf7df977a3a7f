import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// Objects show what a list tells of them, and a list has what its context has saved.
@Suite(.againstHanging, .ownThread) struct ListOrderTests {
  /// A stack with one person, "old", whom the main context has read.
  private func bench(
    _ layout: StackLayout, _ kind: StoreKind = .memory
  ) throws -> (Bench, Lent<Person>) {
    let bench = try Bench(kind) { $0.layout = layout }
    let person = try bench.onMain { main in
      let person = Person.named("old", in: main)
      try main.saveAndWait(toPersistentStore: true)
      return Lent(person)
    }
    return (bench, person)
  }

  @Test(arguments: StackLayout.allCases)
  func `the objects of a list show what the list shows`(_ layout: StackLayout) throws {
    let (bench, person) = try bench(layout)
    let list = try bench.onMain { main in
      let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.age), in: main)
      try list.performFetchAndWait()
      return Lent(list)
    }
    let beside = bench.committed()
    try #require(try Person.findFirst(in: beside)).name = "new"
    try beside.saveAndWait(toPersistentStore: true)
    try list.value.settleAndWait()
    bench.settleMain()
    let (listed, shown) = bench.onMain { _ in (list.value.names, person.value.name) }
    #expect(listed == ["new"] && listed == [shown])
  }

  /// Counts how often an object does not show yet what a list tells of it.
  private final class Witness: FetchedResultsControllerDelegate {
    var expected = 0
    private(set) var told = 0
    private(set) var stale = 0

    func controller(
      _ controller: FetchedResultsController<Person>, didChange object: Person,
      at path: ListPath?, for type: FetchedResultsChangeType, newPath: ListPath?
    ) {
      told += 1
      if type == .delete ? !object.isDeleted : object.age != expected { stale += 1 }
    }
  }

  /// Where a change comes from.
  enum Source: CaseIterable { case saveBlock, child, beside }

  private func save(_ source: Source, _ bench: Bench, _ age: Int) throws {
    switch source {
    case .saveBlock: try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.age = age }
    case .child, .beside:
      let isChild = source == .child
      let context = isChild ? bench.child("Child", of: bench.mainContext) : bench.committed()
      try context.performAndWait { local in
        try Person.findFirst(in: local)?.age = age
        try local.context.save()
      }
    }
  }

  @Test(arguments: StackLayout.allCases, Source.allCases)
  func `a delegate is told of a change when the objects show it`(
    _ layout: StackLayout, _ source: Source
  ) throws {
    let (bench, person) = try bench(layout)
    let witness = Witness()
    let list = try bench.onMain { main in
      let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: main)
      list.delegate = witness
      try list.performFetchAndWait()
      return Lent(list)
    }
    for round in 1...60 {
      bench.onMain { _ in witness.expected = round }
      try save(source, bench, round)
      #expect(comesTrueSoon { bench.onMain { _ in witness.told >= round } })
    }
    #expect(bench.onMain { _ in witness.stale } == 0)
    withExtendedLifetime((list, person)) {}
  }

  @Test func `a delegate is told of a deletion when the object is deleted`() throws {
    let (bench, _) = try bench(.writerRoot)
    let witness = Witness()
    let (list, people) = try bench.onMain { main in
      let people = (0..<60).map { Person.named("\($0)", age: 1, in: main) }
      try main.saveAndWait(toPersistentStore: true)
      let list = FetchedResultsController(Person.where(\.age == 1).sorted(by: \.name), in: main)
      list.delegate = witness
      try list.performFetchAndWait()
      return (Lent(list), Lent(people))
    }
    for round in 1...60 {
      try bench.stack.saveAndWait { try Person.findFirst(where: \.age == 1, in: $0)?.delete() }
      #expect(comesTrueSoon { bench.onMain { _ in witness.told >= round } })
    }
    #expect(bench.onMain { _ in witness.stale } == 0)
    withExtendedLifetime((list, people)) {}
  }

  @Test(arguments: StackLayout.allCases)
  func `a list has what was saved as soon as the save has ended`(_ layout: StackLayout) throws {
    let (bench, _) = try bench(layout, .file)
    let missed = try bench.onMain { main in
      try (0..<100).count { number in
        let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.age), in: main)
        try list.performFetchAndWait()
        let person = Person.named("\(number)", age: number, in: main)
        try main.save()
        return list.path(forObject: person) == nil
      }
    }
    #expect(missed == 0)
  }

  @Test func `a list that was read while edits came and went shows none of them`() throws {
    let (bench, _) = try bench(.writerRoot, .file)
    let list = try bench.onMain { main in
      let list = FetchedResultsController(Person.where(\.age > 0).sorted(by: \.name), in: main)
      try list.performFetchAndWait()
      return Lent(list)
    }
    for _ in 0..<20 {
      bench.onMain { main in
        for number in 0..<1_000 { Person.named("\(number)", age: 1, in: main) }
        main.processPendingChanges()
        main.rollback()
      }
      try list.value.settleAndWait()
      bench.settleMain()
      #expect(bench.onMain { _ in list.value.names.count } == 0)
    }
  }

  /// The batch's row has to be read, which the list does later; what it shows meanwhile goes again.
  @Test func `a list shows no edit that was taken back beside a batch`() throws {
    let (bench, _) = try bench(.writerRoot, .file)
    let list = try bench.onMain { main in
      let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: main)
      try list.performFetchAndWait()
      return Lent(list)
    }
    for round in 0..<100 {
      try bench.onMain { main in
        try Person.where(\.name == "old").batchUpdate(in: main) { $0.age.set(round) }
        Person.named("new", in: main)
        main.processPendingChanges()
        main.rollback()
      }
      try list.value.settleAndWait()
      bench.settleMain()
      #expect(bench.onMain { _ in list.value.names } == ["old"])
    }
  }

  @Test func `a list has what a batch has made of a row that was just saved`() throws {
    let (bench, _) = try bench(.writerRoot, .file)
    let list = try bench.onMain { main in
      let list = FetchedResultsController(Person.where(\.age < 2).sorted(by: \.name), in: main)
      try list.performFetchAndWait()
      return Lent(list)
    }
    for number in 0..<30 {
      try bench.onMain { main in
        let person = Person.named("\(number)", age: 1, in: main)
        try main.saveAndWait(toPersistentStore: true)
        try Person.where(\.name == person.name).batchUpdate(in: main) { $0.age.set(2) }
      }
      try list.value.settleAndWait()
      bench.settleMain()
      #expect(bench.onMain { _ in list.value.names } == ["old"])
    }
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyStoreTrump])
  func `a list has what a save has merged with another program's edit`(
    _ policy: MergePolicy
  ) throws {
    let (bench, person) = try bench(.siblings, .file)
    let url = try #require(bench.stack.coordinator.storeURL)
    let other = OtherConnection(url)
    try bench.onMain { main in
      main.mergePolicy = policy
      Person.named("young", age: 3, in: main)
      try main.saveAndWait(toPersistentStore: true)
      let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.age), in: main)
      try list.performFetchAndWait()
      #expect(list.names == ["old", "young"])
      #expect(other.run("UPDATE ZPERSON SET ZAGE = 9, Z_OPT = Z_OPT + 1 WHERE ZNAME = 'old'"))
      person.value.name = "new"
      try main.save()
      #expect(list.names == ["young", "new"] && person.value.age == 9)
    }
  }

  @Test(arguments: StackLayout.allCases)
  func `a list has what was saved in a block, while others save and write`(
    _ layout: StackLayout
  ) throws {
    let (bench, _) = try bench(layout, .file)
    let isOver = Locked(false)
    let other = Thread {
      while !isOver.withLock({ $0 }) {
        _ = try? bench.stack.saveAndWait { Person.named("other", in: $0.context) }
      }
    }
    if layout == .writerRoot || layout == .siblings { other.start() }
    let context = bench.child("Child", of: bench.mainContext)
    var missed = 0
    for number in 1...30 {
      missed += try context.performAndWait { local in
        let request = Person.where(\.age > 0).sorted(by: \.age)
        let list = FetchedResultsController(request, in: local.context)
        try list.performFetchAndWait()
        let person = Person.named("\(number)", age: number, in: local.context)
        try local.context.save()
        return list.path(forObject: person) == nil ? 1 : 0
      }
    }
    isOver.withLock { $0 = true }
    #expect(missed == 0)
  }
}
