import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// One column and one key are values, and no tuples of one. That this compiles is half of the test: a nil in a
/// pack of one is no nil to `compactMap`, `??` and `filter`.
@Suite(.againstHanging) struct PlainValueTests {
  private func fill(_ context: ManagedObjectContext) {
    for (number, code) in [nil, "x", "y", "x"].enumerated() {
      let good = Good.create(in: context)
      (good.code, good.count, good.isOld) = (code, number, number > 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a column of optionals can be unwrapped`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      let all = Good.select(\.code).sorted(by: \.count)
      let plain: [String?] = try all.fetch(in: context)
      #expect(plain == [nil, "x", "y", "x"])
      let there: [String] = try all.fetch(in: context).compactMap { $0 }
      #expect(there == ["x", "y", "x"])
      let spelt: [String] = try all.fetch(in: context).map { $0 ?? "none" }
      #expect(spelt == ["none", "x", "y", "x"])
      let filtered = try all.fetch(in: context).filter { $0 != nil }
      #expect(filtered.count == 3)
      let distinct: [String] = try Good.select(\.code).distinct().fetch(in: context)
        .compactMap { $0 }
      #expect(distinct == ["x", "y"])
      let counts: [Int] = try Good.where(\.count > 0).select(\.count).fetch(in: context)
      #expect(counts.reduce(0, +) == 6)
      let built: [String] = try Good.select { $0.code }.fetch(in: context).compactMap { $0 }
      #expect(built.sorted() == ["x", "x", "y"])
      for code in try all.fetch(in: context) where code == nil { #expect(code ?? "none" == "none") }
      let several: [(String?, Int)] = try Good.select(\.code, \.count).fetch(in: context)
      #expect(several.count == 4)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a key that is optional can be unwrapped, with all that is gathered`(_ kind: StoreKind)
    throws
  {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      let groups = Good.grouped(by: \.code)
      let counts: [(key: String?, value: Int)] = try groups.count(in: context)
      #expect(counts.map { $0.key ?? "none" } == ["none", "x", "y"])
      let there: [String] = try groups.sum(\.count, in: context).compactMap(\.key)
      #expect(there == ["x", "y"])
      #expect(try groups.average(\.count, in: context).compactMap(\.key).count == 2)
      #expect(try groups.min(\.count, in: context).filter { $0.key == nil }.count == 1)
      #expect(try groups.max(\.count, in: context).map { $0.key?.count ?? 0 } == [0, 1, 1])
      let single: [(key: String?, values: Int?)] = try groups.values(in: context) {
        $0.max(\.count)
      }
      #expect(single.map { $0.values ?? -1 } == [0, 3, 2])
      let pairs = try groups.values(in: context) { ($0.count, $0.max(\.count)) }
      #expect(
        pairs.compactMap(\.key) == ["x", "y"] && pairs.map { $0.values.0 ?? 0 } == [1, 2, 1])
      let built: [String] = try Good.grouped { $0.code }.count(in: context).compactMap(\.key)
      #expect(built == ["x", "y"])
      let narrowed: [String] = try Good.where(\.count > 0).grouped(by: \.code).count(in: context)
        .compactMap(\.key)
      #expect(narrowed == ["x", "y"])
      let twoKeys: [(key: (String?, Bool), value: Int)] = try Good.grouped(by: \.code, \.isOld)
        .count(in: context)
      #expect(twoKeys.map { "\($0.key.0 ?? "none") \($0.key.1)" }.count == 4)
      let least: Int? = try ObjectQuery<Good>().values(in: context) { $0.min(\.count) }
      #expect(least ?? -1 == 0)
    }
    withExtendedLifetime(shop) {}
  }

  @Test func `streams and updates give plain values, too`() async throws {
    let bench = try Bench(.file, model: Shop.model())
    let context = bench.child()
    await context.perform { fill($0.context) }
    try await context.save(toPersistentStore: true)
    var lines = Good.select(\.code).updates(in: context).makeAsyncIterator()
    let first: [String] = try #require(try await lines.next()).compactMap { $0 }
    #expect(first.sorted() == ["x", "x", "y"])
    var groups = Good.grouped(by: \.code).updates(in: context) { ($0.count, $0.max(\.count)) }
      .makeAsyncIterator()
    #expect(try #require(try await groups.next()).compactMap(\.key) == ["x", "y"])
    var single = Good.grouped(by: \.code).updates(in: context) { $0.count }.makeAsyncIterator()
    #expect(try #require(try await single.next()).map { $0.values ?? 0 } == [1, 2, 1])
    withExtendedLifetime(bench) {}
  }
}
