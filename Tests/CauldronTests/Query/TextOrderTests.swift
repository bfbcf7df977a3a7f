import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Orders by language and number, of what is saved, of what is not, and of lists.
@Suite(.againstHanging, .ownThread) struct TextOrderTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let kind: StoreKind
    let locale: String

    var testDescription: String { "\(locale), \(kind)" }

    static let all = StoreKind.allCases.flatMap { kind in
      LanguageOrder.locales.map { Case(kind: kind, locale: $0) }
    }
  }

  /// Workers and chiefs with random names, some of whom have employers with such; sizes tell them apart.
  private static func fill(
    _ context: ManagedObjectContext, count: Int, from size: Int, _ random: inout SeededGenerator
  ) {
    let firms = (0..<6).map { _ in Firm.create(in: context) }
    for firm in firms.dropFirst() { firm.name = LanguageOrder.text(&random) }
    for number in 0..<count {
      let worker =
        number % 5 == 0 ? Chief.create(in: context) as Worker : Worker.create(in: context)
      worker.size = size + number
      if !random.once(in: 8) { worker.name = LanguageOrder.text(&random) }
      if !random.once(in: 8) { worker.employer = random.pick(firms) }
    }
  }

  /// The sizes of all workers in the order that the oracle gives.
  private static func expected(
    _ locale: String, ascending: Bool, in context: ManagedObjectContext,
    _ text: (Worker) -> String? = \.name
  ) throws -> [Int] {
    let order = LanguageOrder(locale)
    return try Worker.findAll(in: context).sorted { a, b in
      let result = order.compare(text(a), with: text(b))
      return result == 0 ? a.size < b.size : (result < 0) == ascending
    }.map(\.size)
  }

  private static func query(_ locale: String, ascending: Bool) -> ObjectQuery<Worker> {
    let order = TextOrder.localizedStandard(locale: locale)
    return ObjectQuery().sorted(
      by: { ascending ? $0.name.ascending(order) : $0.name.descending(order) }, \.size)
  }

  /// Asks in every way, and compares with the oracle.
  private static func check(_ locale: String, in context: ManagedObjectContext) throws {
    for ascending in [true, false] {
      let whole = try expected(locale, ascending: ascending, in: context)
      let query = query(locale, ascending: ascending)
      #expect(try query.fetch(in: context).map(\.size) == whole)
      #expect(try query.offset(7).limit(9).fetch(in: context).map(\.size) == Array(whole[7..<16]))
      #expect(try query.first(in: context)?.size == whole.first)
      #expect(try Array(query.batches(of: 10, in: context).map(\.size)) == whole)
      var paged: [Int] = []
      try query.forEach(pageSize: 11, in: context) { paged.append($0.size) }
      #expect(paged == whole)
      let order = TextOrder.localizedStandard(locale: locale)
      let columns = Worker.select(\.size)
        .sorted { ascending ? $0.name.ascending(order) : $0.name.descending(order) }
        .sorted(by: \.size)
      #expect(try columns.fetch(in: context) == whole)
      var request = FetchRequest<Worker>()
      request.sortKeys = [SortKey("employer.name", ascending: ascending, order), SortKey("size")]
      let behind = try expected(locale, ascending: ascending, in: context) { $0.employer?.name }
      #expect(try context.fetch(request).map(\.size) == behind)
    }
  }

  @Test(arguments: Case.all)
  private func `saved and unsaved rows are in the language's order in every kind of fetch`(
    _ one: Case
  ) throws {
    var random = SeededGenerator(seed: 741)
    let bench = try Bench(one.kind, model: try Trade.model())
    let saved = bench.child("Saved")
    Self.fill(saved, count: 60, from: 0, &random)
    try Self.check(one.locale, in: saved)
    try saved.saveAndWait(toPersistentStore: true)
    try Self.check(one.locale, in: bench.committed())
    let unsaved = bench.child("Unsaved")
    Self.fill(unsaved, count: 10, from: 100, &random)
    for worker in try Worker.findAll(in: unsaved) where random.once(in: 4) {
      if random.once(in: 3) { worker.delete() } else { worker.name = LanguageOrder.text(&random) }
    }
    for firm in try Firm.findAll(in: unsaved) where random.once(in: 3) {
      firm.name = LanguageOrder.text(&random)
    }
    try Self.check(one.locale, in: unsaved)
  }

  @Test(arguments: Case.all)
  private func `a list and its sections are in the language's order, and stay so`(
    _ one: Case
  ) throws {
    var random = SeededGenerator(seed: 742)
    let bench = try Bench(one.kind, model: try Trade.model())
    let saved = bench.child("Saved")
    Self.fill(saved, count: 60, from: 0, &random)
    try saved.saveAndWait(toPersistentStore: true)
    let query = Self.query(one.locale, ascending: true)
    let lists = try bench.onMain { main in
      let whole = FetchedResultsController(query, in: main)
      let divided = FetchedResultsController(query, in: main, sectionBy: .value(of: \.name))
      try whole.performFetchAndWait()
      try divided.performFetchAndWait()
      return Lent([whole, divided])
    }
    for _ in 0..<3 {
      try bench.onMain { main in
        Self.fill(main, count: 3, from: 1_000 + Int(random.next() % 1_000_000), &random)
        for worker in try Worker.findAll(in: main) where random.once(in: 5) {
          worker.name = LanguageOrder.text(&random)
        }
        main.processPendingChanges()
      }
      for list in lists.value { try list.settleAndWait() }
      try bench.onMain { main in
        let whole = try Self.expected(one.locale, ascending: true, in: main)
        #expect(lists.value[0].fetchedObjects?.map(\.size) == whole)
        let names = lists.value[1].sections.map(\.name)
        let bytes = names.map { Array($0.utf8) }
        #expect(Set(bytes).count + (bytes.filter(\.isEmpty).count == 2 ? 1 : 0) == names.count)
        let order = LanguageOrder(one.locale)
        for (a, b) in zip(names, names.dropFirst()) { #expect(order.compare(a, with: b) <= 0) }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `equal texts stay in the order of their keys`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: try Trade.model())
    let context = bench.child()
    for (size, name) in ["e\u{301}", "é", "é", "e\u{301}", "02", "2"].enumerated() {
      let worker = Worker.create(in: context)
      (worker.name, worker.size) = (name, size)
      try context.saveAndWait(toPersistentStore: true)
    }
    let query = ObjectQuery<Worker>().sorted {
      $0.name.ascending(.localizedStandard(locale: "fr"))
    }
    #expect(try query.fetch(in: context).map(\.size) == [4, 5, 0, 1, 2, 3])
  }

  @Test(arguments: StoreKind.allCases)
  func `distinct lines and groups come in the language's order`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: try Trade.model())
    let context = bench.child()
    func check() throws {
      let order = TextOrder.localizedStandard(locale: "sv")
      let distinct = Worker.select(\.name).distinct().sorted { $0.name.ascending(order) }
      #expect(try distinct.fetch(in: context) == [nil, "a 2", "A 2", "a 10", "z", "å"])
      let groups = Worker.grouped(by: \.name).sorted { $0.key.name.descending(order) }
      #expect(
        try groups.count(in: context).map(\.key) == ["å", "z", "a 10", "A 2", "a 2", nil])
    }
    for name in ["å", "z", "a 10", "a 2", "A 2", nil, "z", "å"] {
      Worker.create(in: context).name = name
    }
    try check()
    try context.saveAndWait(toPersistentStore: true)
    try check()
  }

  @Test(arguments: StoreKind.allCases)
  func `an unknown locale and what is no text are refused`(_ kind: StoreKind) throws {
    let context = try Bench(kind, model: try Trade.model()).committed()
    let unknown = #expect(throws: CauldronError.self) {
      try Worker.findAll(
        sortedBy: { $0.name.ascending(.localizedStandard(locale: "tlh")) }, in: context)
    }
    #expect(unknown?.code == .queryUnsupported)
    #expect(unknown?.message == "Worker: no order of texts is known for the locale \"tlh\".")
    let number = #expect(throws: CauldronError.self) {
      try Worker.findAll(sortedBy: { $0.size.ascending(.localizedStandard) }, in: context)
    }
    #expect(number?.code == .queryTypeMismatch)
  }

  @Test func `keys of different orders differ, and requests keep them`() throws {
    let swedish = SortKey("name", .localizedStandard(locale: "sv"))
    #expect(swedish != SortKey("name", .localizedStandard))
    #expect(swedish != SortKey("name"))
    let query = ObjectQuery<Worker>().sorted {
      $0.name.ascending(.localizedStandard(locale: "sv"))
    }
    #expect(ObjectQuery(query.request).request.sortKeys == [swedish])
    #expect(swedish.order?.locale == "sv")
  }
}
