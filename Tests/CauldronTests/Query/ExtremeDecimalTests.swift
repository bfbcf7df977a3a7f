import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// The largest and smallest decimals: no condition and no row ends a process, and SQL, memory and what is
/// unsaved agree.
@Suite(.againstHanging) struct ExtremeDecimalTests {
  private static let values = [
    "0", "1", "-1", "1e-128", "-1e-128", "1e-127", "3e-128", "1e-100", "1e-70", "1e-64", "1e64",
    "1e100",
    "-1e127", "1e127", "9e127", "99999999999999e100", "123456789012345e-128", "123456789012345e127",
    "340282366920938463463374607431768211455e127", "-340282366920938463463374607431768211455e127",
    "9223372036854775807", "-9223372036854775808",
  ]

  private static let conditions = [
    "cost > 0", "cost < 0", "cost == 1e-128", "cost >= 1e-128", "cost != 1e127", "cost == 1e127",
    "cost > 1e-129", "cost < 1e200", "cost IN {1e-128, 1e127, 1}", "cost BETWEEN {-1e-128, 1e-100}",
    "cost == 123456789012345e127", "cost * cost > 0", "cost * cost == nil", "cost + cost > 0",
    "cost - 1 > 0", "cost + 1e-128 > 1", "cost / 10 >= 0", "cost / 1e100 > 0", "cost / 1e-100 > 0",
    "cost * 0.001 >= 0", "cost * 10 > 1e127", "cost * 1e-70 * 1e-70 > 0", "cost / 0 == nil",
    "abs:(cost) > 1e100", "abs:(cost) == 1e-128", "floor:(cost) == cost",
    "floor:(cost) == -1", "floor:(cost / 3) < cost / 3", "cost - cost == 0",
    "cost * cost / cost == cost", "1 / cost > 1e127", "cost * -1 < cost",
    "cost + 9223372036854775807 > 0", "cost > 9.2e18", "cost <= 9223372036854775807",
    "TERNARY(cost > 0, cost * 1e100, cost / 1e100) == nil",
  ]

  private static func fill(_ context: ManagedObjectContext) {
    for (number, value) in values.enumerated() {
      let good = Good.create(in: context)
      good.count = number
      good.cost = Decimal(string: value) ?? .nan
    }
  }

  /// Contexts in which SQL answers, in which rows are changed, and in which they are not saved.
  private static func shops() throws -> (shops: [Shop], contexts: [ManagedObjectContext]) {
    let shops = try StoreKind.allCases.map { try Shop($0) { fill($0) } }
    let empty = try Shop(.file) { _ in }
    fill(empty.contexts[0])
    return (shops + [empty], shops.flatMap(\.contexts) + [empty.contexts[0]])
  }

  @Test func `conditions select the same in all ways`() throws {
    let (shops, contexts) = try Self.shops()
    for condition in Self.conditions {
      let found = try contexts.map { context in
        try Set(Good.findAll(matching: condition, in: context).map(\.count))
      }
      #expect(Set(found).count == 1, "\(condition): \(found.map { $0.sorted() })")
    }
    withExtendedLifetime(shops) {}
  }

  @Test func `columns, orders and sums are the same in all ways`() throws {
    let (shops, contexts) = try Self.shops()
    let answers = try contexts.map { context in
      let lines = try Good.select { ($0.cost * $0.cost, $0.cost / 3, $0.cost - 1) }
        .sorted(by: \.count).fetch(in: context)
      let order = try Good.where(\.count >= 0).sorted { $0.cost * 10 }.sorted(by: \.count)
        .fetch(in: context).map(\.count)
      let small = Good.where(\.count < 19)
      let sums = try [
        small.sum(\.cost, in: context), Good.where(\.count > 17).sum(\.cost, in: context),
      ]
      let average = try small.average(\.cost, in: context)
      let groups = try Good.grouped { $0.cost * 1 }.count(in: context).map { "\($0)" }
      return "\(lines)\n\(order)\n\(sums)\n\(average.debugDescription)\n\(groups)"
    }
    #expect(Set(answers).count == 1, "\(answers)")
    withExtendedLifetime(shops) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `what is nil beyond them is nil, and what is not is read again`(_ kind: StoreKind) throws {
    let shop = try Shop(kind) { Self.fill($0) }
    for context in shop.contexts {
      func numbers(_ condition: String) throws -> [Int] {
        try Good.findAll(matching: condition, sortedBy: \.count, in: context).map(\.count)
      }
      #expect(try numbers("cost == 1e-128") == [3])
      #expect(
        try numbers("cost * cost == nil") == [3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19])
      for (number, value) in Self.values.enumerated() {
        let good = try #require(try Good.findFirst(where: \.count == number, in: context))
        let kept = DecimalNumber(value)?.decimal
        #expect(good.cost == kept || "\(good.cost)" == "\(Decimal(string: value) ?? 0)")
      }
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `ten times the largest power of ten stays what it is`(_ kind: StoreKind) throws {
    let large = try #require(Decimal(string: "1" + String(repeating: "0", count: 128)))
    let shop = try Shop(kind) { Good.create(in: $0).cost = large }
    for context in shop.contexts {
      #expect(try Good.findAll(in: context).map(\.cost) == [large])
      #expect(try Good.matching("cost / 10 == 1e127").count(in: context) == 1)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a batch that leaves the range gives nil and ends nothing`(_ kind: StoreKind) async throws {
    let shop = try Shop(kind) { Self.fill($0) }
    let context = shop.contexts[0]
    await context.perform { context in
      let error = cauldronError {
        _ = try Good.where(\.count == 13).batchUpdate(in: context) { $0.cost.set($0.cost * 1e100) }
      }
      #expect(error != nil)
    }
    withExtendedLifetime(shop) {}
  }
}
