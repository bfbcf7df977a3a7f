import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Entity final class Ticket: ManagedObject {
  enum State: Int, Sendable {
    case open = 1
    case waiting
    case done
  }
  var title: String = ""
  var isUrgent: Bool = false
  var isHidden: Bool?
  var price: Double = 0
  var count: Int = 0
  var status: State = State.open
  var formerStatus: State?
  @Relationship(inverse: \Ticket.parts) var whole: Ticket?
  @Relationship var parts: ToMany<Ticket>
}

@Suite struct BuilderTests {
  private func tickets(_ kind: StoreKind) throws -> (Bench, ManagedObjectContext) {
    let bench = try Bench(kind, model: ManagedObjectModel(entities: [Ticket._describeEntity()]))
    let context = bench.child()
    let root = Ticket.create(in: context)
    root.title = "Größe"
    root.price = 2.5
    root.count = 4
    root.isUrgent = true
    for number in 1...3 {
      let part = Ticket.create(in: context)
      part.title = "part \(number)"
      part.count = number
      part.whole = root
      part.status = number == 3 ? .done : .waiting
      part.formerStatus = number == 2 ? .open : nil
    }
    try context.saveAndWait(toPersistentStore: true)
    return (bench, bench.child())
  }

  @Test(arguments: StoreKind.allCases)
  func `conditions reach through relationships`(_ kind: StoreKind) throws {
    let (bench, context) = try tickets(kind)
    withExtendedLifetime(bench) {}
    #expect(try Ticket.findAll(where: { $0.whole.title == "Größe" }, in: context).count == 3)
    #expect(try Ticket.findAll(where: { $0.whole.title != "Größe" }, in: context).count == 1)
    #expect(try Ticket.count(where: { $0.whole == nil }, in: context) == 1)
    #expect(try Ticket.count(where: { $0.parts.any { $0.count > 2 } }, in: context) == 1)
    #expect(try Ticket.count(where: { $0.parts.all { $0.count > 2 } }, in: context) == 3)
    #expect(try Ticket.count(where: { $0.parts.none { $0.isUrgent } }, in: context) == 4)
    #expect(try Ticket.count(where: { $0.parts.count >= 3 }, in: context) == 1)
    #expect(try Ticket.count(where: { $0.parts.sum { $0.count } == 6 }, in: context) == 1)
    #expect(try Ticket.count(where: { $0.parts.average { $0.count } == 2 }, in: context) == 1)
    #expect(try Ticket.count(where: { $0.parts.min { $0.count } == nil }, in: context) == 3)
    #expect(try Ticket.count(where: { $0.whole.parts.count == 3 }, in: context) == 3)
    let sorted = try Ticket.findAll(
      where: { $0.whole.isUrgent }, sortedBy: { $0.count.descending }, in: context)
    #expect(sorted.map(\.count) == [3, 2, 1])
    let all = try Ticket.findAll(
      sortedBy: { $0.whole.title.descending(.ignoringCase) }, in: context)
    #expect(all.last?.title == "Größe")
  }

  @Test(arguments: StoreKind.allCases)
  func `changes of related objects that nobody has saved count`(_ kind: StoreKind) throws {
    let (bench, context) = try tickets(kind)
    let leaf = bench.child("Leaf", of: context)
    let root = try #require(try Ticket.findFirst(where: { $0.whole == nil }, in: context))
    root.title = "other"
    #expect(try Ticket.count(where: { $0.whole.title == "other" }, in: context) == 3)
    try context.save()
    #expect(try Ticket.count(where: { $0.whole.title == "other" }, in: leaf) == 3)
    let part = try #require(try Ticket.findFirst(where: \.count == 3, in: leaf))
    part.whole = nil
    #expect(try Ticket.count(where: { $0.whole.title == "other" }, in: leaf) == 2)
    #expect(try Ticket.count(where: { $0.parts.count == 2 }, in: leaf) == 1)
    #expect(try Ticket.count(where: { $0.parts.count == 3 }, in: leaf) == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `enumerations, truth values and texts are conditions`(_ kind: StoreKind) throws {
    let (bench, context) = try tickets(kind)
    withExtendedLifetime(bench) {}
    #expect(try Ticket.count(where: { $0.status == .waiting }, in: context) == 2)
    #expect(try Ticket.count(where: { $0.status >= .waiting }, in: context) == 3)
    #expect(try Ticket.count(where: { $0.formerStatus == nil }, in: context) == 3)
    #expect(try Ticket.count(where: { $0.formerStatus.isIn([.open]) }, in: context) == 1)
    #expect(try Ticket.count(where: { $0.isUrgent }, in: context) == 1)
    #expect(try Ticket.count(where: { !$0.isUrgent }, in: context) == 3)
    #expect(try Ticket.count(where: { $0.isHidden == nil }, in: context) == 4)
    #expect(try Ticket.count(where: !\.isUrgent, in: context) == 3)
    #expect(try Ticket.count(where: \.isUrgent, in: context) == 1)
    let options = TextOptions.ignoringCaseAndDiacritics
    #expect(try Ticket.count(where: { $0.title.beginsWith("gro", options) }, in: context) == 1)
    #expect(try Ticket.count(where: .contains(\.title, "OSS", options), in: context) == 1)
    #expect(try Ticket.count(where: { $0.title.isLike("part ?") }, in: context) == 3)
    #expect(try Ticket.count(where: { $0.title.matches("part [12]") }, in: context) == 2)
    #expect(try Ticket.count(where: { $0.count * 2 == 6 }, in: context) == 1)
    #expect(try Ticket.count(where: { $0.count.isBetween(2, 3) }, in: context) == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `a number that is rounded down is the whole one below it`(_ kind: StoreKind) throws {
    let (bench, context) = try tickets(kind)
    let prices = [-2.5, -0.5, 0.99, 7]
    for (ticket, price) in zip(try Ticket.findAll(sortedBy: \.count, in: context), prices) {
      ticket.price = price
    }
    func check(in context: ManagedObjectContext) throws {
      let lines = try Ticket.select { ($0.price.roundedDown, $0.count.roundedDown) }
        .sorted(by: \.count).fetch(in: context)
      #expect(lines.map(\.0) == [-3, -1, 0, 7] && lines.map(\.1) == [1, 2, 3, 4])
      #expect(try Ticket.count(where: { $0.price.roundedDown == -3 }, in: context) == 1)
      let sum = Ticket.where { $0.parts.sum { $0.price.roundedDown } == -4 }
      #expect(try sum.count(in: context) == 1)
      #expect(try Ticket.matching("floor:(price) == price").count(in: context) == 1)
      #expect(try Ticket.matching("floor:(whole.price) == nil").count(in: context) == 1)
      let error = cauldronError {
        _ = try Ticket.matching("floor:(title) == 1").count(in: context)
      }
      #expect(error?.code == .queryTypeMismatch)
    }
    try check(in: context)
    try context.saveAndWait(toPersistentStore: true)
    try check(in: bench.child())
  }

  @Test func `twelve mixed terms compile`() throws {
    let (bench, context) = try tickets(.memory)
    withExtendedLifetime(bench) {}
    let found = try Ticket.findAll(
      where: {
        $0.title == "part 1" && $0.count >= 1 && $0.price < 3.5 && !$0.isUrgent
          && $0.whole.title != "x" && $0.whole.count > 2 && $0.status == .waiting
          && $0.parts.isEmpty && $0.whole.parts.any { $0.count == 3 } && $0.formerStatus == nil
          && ($0.title.contains("a") || $0.count + 1 == 7)
      }, sortedBy: { $0.whole.title }, in: context)
    #expect(found.map(\.count) == [1])
  }

  @Test func `a sum beyond 64 bits is told`() throws {
    for kind in StoreKind.allCases {
      let (bench, context) = try tickets(kind)
      for part in try Ticket.findAll(where: { $0.whole != nil }, in: context) { part.count = .max }
      try context.saveAndWait(toPersistentStore: true)
      let reader = bench.child()
      let error = cauldronError {
        _ = try Ticket.count(where: { $0.parts.sum { $0.count } > 1 }, in: reader)
      }
      #expect(error?.code == .queryOverflow)
      #expect(try Ticket.count(where: { $0.parts.average { $0.count } > 1 }, in: reader) == 1)
    }
  }

  @Test func `what is no stored property is refused`() throws {
    let (bench, context) = try tickets(.memory)
    withExtendedLifetime(bench) {}
    let error = cauldronError {
      _ = try Ticket.count(
        where: Where(.comparison(key: "parts.count", .equal, .integer(1))), in: context)
    }
    #expect(error?.code == .queryUnsupported && error?.message.contains("to-many") == true)
    let step = cauldronError {
      _ = try Ticket.count(
        where: Where(.comparison(key: "title.count", .equal, .integer(1))), in: context)
    }
    #expect(step?.code == .queryTypeMismatch && step?.property == "title")
  }

  @Test func `an ID is written as a URI, and read where its store is open`() throws {
    let (bench, context) = try tickets(.file)
    let ticket = try #require(try Ticket.findFirst(in: context))
    let data = try JSONEncoder().encode([ticket.objectID])
    #expect(try JSONDecoder().decode([ManagedObjectID].self, from: data) == [ticket.objectID])
    let node = PredicateNode.isSelf([ticket.objectID])
    let copy = try JSONDecoder().decode(PredicateNode.self, from: JSONEncoder().encode(node))
    #expect(try Ticket.findAll(where: Where(copy), in: context) == [ticket])
    let fresh = Ticket.create(in: context)
    #expect(cauldronError { _ = try JSONEncoder().encode(fresh.objectID) }?.code == .objectNotFound)
    withExtendedLifetime(bench) {}
    let other = Data("[\"x-coredata://00000000-0000-0000-0000-000000000000/Ticket/p1\"]".utf8)
    #expect(
      cauldronError { _ = try JSONDecoder().decode([ManagedObjectID].self, from: other) }?.code
        == .objectNotFound)
  }
}
