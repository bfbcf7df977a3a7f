import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What is calculated with decimals, in SQL and in memory.
@Suite(.againstHanging) struct DecimalTests {
  private func shop(_ kind: StoreKind) throws -> Shop {
    try Shop(kind) { context in
      let rack = Rack.create(in: context)
      rack.cost = decimal("0.1")
      for (number, cost) in ["0.1", "0.2", "19.99", "-3", "123456789.25"].enumerated() {
        let good = Good.create(in: context)
        good.name = number < 3 ? "a" : "b"
        good.cost = decimal(cost)
        good.count = number + 1
        good.price = 0.5
        if number < 3 { good.rack = rack }
      }
    }
  }

  private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

  @Test(arguments: StoreKind.allCases)
  func `sums, products and quotients are exact`(_ kind: StoreKind) throws {
    let shop = try shop(kind)
    for context in shop.contexts {
      let all = ObjectQuery<Good>()
      #expect(try all.sum(\.cost, in: context) == decimal("123456806.54"))
      #expect(try all.where(\.name == "a").sum(\.cost, in: context) == decimal("20.29"))
      #expect(try all.where(\.count > 9).sum(\.cost, in: context) == 0)
      #expect(try all.where(\.count < 3).average(\.cost, in: context) == 0.15)
      let lines = try Good.select {
        ($0.cost * 3, $0.cost + $0.count, $0.cost / 3, $0.cost.magnitude)
      }
      .sorted(by: \.count).fetch(in: context)
      #expect(lines.map(\.0) == ["0.3", "0.6", "59.97", "-9", "370370367.75"].map(decimal))
      #expect(lines.map(\.1) == ["1.1", "2.2", "22.99", "1", "123456794.25"].map(decimal))
      #expect(lines[3].2 == -1 && lines[0].2 == decimal("0.0333333333333333"))
      #expect(lines.map(\.3)[3] == 3)
      let groups = try Good.grouped(by: \.name).sum(\.cost, in: context)
      #expect(groups.map(\.value) == [decimal("20.29"), decimal("123456786.25")])
      let rack = try Rack.findAll(where: { $0.goods.sum(\.cost) == decimal("20.29") }, in: context)
      #expect(rack.count == 1)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `conditions and orders calculate with them`(_ kind: StoreKind) throws {
    let shop = try shop(kind)
    for context in shop.contexts {
      // A sum of reals would be 0.30000000000000004.
      let exact = Good.where { $0.cost + $0.rack.cost + $0.rack.cost == decimal("0.4") }
      #expect(try exact.fetch(in: context).map(\.count) == [2])
      let large = Good.where { $0.cost * $0.count > 50 }.sorted { ($0.cost * -1) }
      #expect(try large.fetch(in: context).map(\.count) == [5, 3])
      #expect(try Good.matching("cost * 2 == 0.4 OR abs:(cost) == 3").count(in: context) == 2)
      #expect(try Good.matching("cost / 0 == nil").count(in: context) == 5)
      #expect(try Good.where { $0.cost.magnitude == 3 }.count(in: context) == 1)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a decimal that is rounded down is the whole one below it`(_ kind: StoreKind) throws {
    let shop = try shop(kind)
    for context in shop.contexts {
      let lines = try Good.select { ($0.cost.roundedDown, ($0.cost / -3).roundedDown) }
        .sorted(by: \.count).fetch(in: context)
      #expect(lines.map(\.0) == ["0", "0", "19", "-3", "123456789"].map(decimal))
      #expect(lines.map(\.1) == ["-1", "-1", "-7", "1", "-41152264"].map(decimal))
      #expect(try Good.matching("floor:(cost) == cost").count(in: context) == 1)
      #expect(try Good.where { $0.cost.roundedDown == 19 }.count(in: context) == 1)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `results have as many digits as a column keeps`(_ kind: StoreKind) throws {
    let shop = try shop(kind)
    for context in shop.contexts {
      let squares = try Good.where(\.count == 5).select { ($0.cost * $0.cost, $0.cost) }
        .fetch(in: context)
      #expect(squares.map(\.0) == [decimal("15241578811918900")])
      let whole = try Good.where(\.count == 4)
        .select { ($0.cost + 9_223_372_036_854_775_807, $0.cost * 1) }.fetch(in: context)
      #expect(whole.map(\.0) == [decimal("9223372036854775804")])
      let beyond = try Good.where(\.count == 4)
        .select { ($0.cost - 9_223_372_036_854_775_807, $0.cost * 1) }.fetch(in: context)
      #expect(beyond.map(\.0) == [decimal("-9223372036854780000")])
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a Double and a remainder are refused`(_ kind: StoreKind) throws {
    let shop = try shop(kind)
    let context = shop.contexts[0]
    let mixed = cauldronError { _ = try Good.matching("cost * price > 1").count(in: context) }
    #expect(mixed?.code == .queryTypeMismatch)
    #expect(mixed?.message.contains("cost and price are a Decimal and a Double") == true)
    let rest = cauldronError {
      _ = try Good.matching("modulus:by:(cost, 2) == 1").count(in: context)
    }
    #expect(rest?.code == .queryTypeMismatch)
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a batch calculates with them`(_ kind: StoreKind) async throws {
    let shop = try shop(kind)
    let context = shop.contexts[0]
    try await context.perform { context in
      let cheap = Good.where(\.name == "a")
      _ = try cheap.batchUpdate(in: context) {
        $0.cost.set($0.cost * decimal("1.1") + 1)
      }
      let costs = try cheap.sorted(by: \.count).fetch(in: context).map(\.cost)
      #expect(costs == ["1.11", "1.22", "22.989"].map(decimal))
    }
    withExtendedLifetime(shop) {}
  }
}
