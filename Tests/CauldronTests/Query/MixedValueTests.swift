import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Values of several types beside one another, and what an attribute cannot have.
@Suite(.againstHanging) struct MixedValueTests {
  private func fill(_ context: ManagedObjectContext) {
    let rack = Rack.create(in: context)
    rack.weight = 0x1p53
    rack.cost = 7
    rack.length = .seconds(5)
    for number in 1...3 {
      let good = Good.create(in: context)
      good.name = "good \(number)"
      good.count = number
      good.level = Int16(number)
      good.price = Double(number) * 50
      good.weight = number == 1 ? 0x1p53 : (number == 2 ? 5 : nil)
      good.cost = Decimal(number) * 5
      good.code = number == 1 ? "x" : nil
      good.length = .seconds(number)
      good.rack = number == 3 ? nil : rack
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `numbers of several types are calculated and compared`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      func count(_ condition: (QueryPath<Good, Good>) -> Where<Good>) -> Int? {
        try? Good.count(where: condition, in: context)
      }
      #expect(count { $0.price * $0.count > 100 } == 2)
      #expect(count { $0.count * $0.price > 199.5 && $0.level * $0.count == 4 } == 1)
      #expect(count { 2 * $0.count >= 4 } == 2)
      #expect(count { 3 - $0.level == 1 } == 1)
      #expect(count { 2 <= $0.count && 3 > $0.count } == 1)
      #expect(count { "good 1" == $0.name } == 1)
      #expect(count { $0.price > $0.count && $0.level == $0.count } == 3)
      #expect(count { $0.price - $0.rack.weight < $0.count } == 2)
      #expect(count { $0.ratio == $0.count - $0.level } == 3)
      #expect(count { $0.rack.goods.sum { $0.price * $0.level } == 250.0 } == 2)
      let lines = try Good.select { ($0.price / $0.count, $0.count % 2) }.fetch(in: context)
      #expect(lines.map(\.0) == [50, 50, 50] && lines.map(\.1) == [1, 0, 1])
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `an optional attribute is looked up in a plain list`(_ kind: StoreKind) throws {
    let texts = ["x", "y"]
    let optionals: [String?] = ["x", nil]
    let bench = try Bench(kind, model: try Shop.model())
    let context = bench.child()
    fill(context)
    #expect(try Good.count(where: .isIn(\.code, texts), in: context) == 1)
    #expect(try Good.count(where: .isIn(\.code, ["x"]), in: context) == 1)
    #expect(try Good.count(where: .isIn(\.code, optionals), in: context) == 3)
    #expect(try Good.count(where: .isIn(\.code, ["x", nil]), in: context) == 3)
    #expect(try Good.count(where: { $0.code.isIn(texts) }, in: context) == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `an integer is compared with reals exactly`(_ kind: StoreKind) throws {
    let beside = AttributeScalar.integer(1 << 53 + 1)
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      func count(_ node: PredicateNode) -> Int? {
        try? Good.count(where: Where(node), in: context)
      }
      #expect(count(.comparison(key: "weight", .equal, beside)) == 0)
      #expect(count(.comparison(key: "weight", .notEqual, beside)) == 3)
      #expect(count(.comparison(key: "weight", .less, beside)) == 2)
      #expect(count(.comparison(key: "weight", .greaterOrEqual, beside)) == 0)
      #expect(count(.comparison(key: "weight", .greater, .integer(1 << 53 - 1))) == 1)
      #expect(count(.comparison(key: "weight", .less, .integer(.max))) == 2)
      #expect(count(.comparison(key: "rack.weight", .equal, beside)) == 0)
      #expect(count(.comparison(key: "rack.weight", .notEqual, beside)) == 3)
      #expect(count(.comparison(key: "rack.weight", .equal, .integer(1 << 53))) == 2)
      #expect(count(.isIn(key: "weight", [beside])) == 0)
      #expect(count(.isIn(key: "weight", [beside, .integer(5), .null])) == 2)
      #expect(count(.isIn(key: "rack.weight", [beside, .integer(5)])) == 0)
      #expect(count(.isIn(key: "rack.weight", [beside, .integer(1 << 53)])) == 2)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a Decimal is compared with numbers wherever it is`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      func count(_ node: PredicateNode) -> Int? {
        try? Good.count(where: Where(node), in: context)
      }
      #expect(count(.comparison(key: "cost", .greater, .integer(5))) == 2)
      #expect(count(.comparison(key: "cost", .less, .real(12.5))) == 2)
      #expect(count(.comparison(key: "rack.cost", .equal, .integer(7))) == 2)
      #expect(count(.isIn(key: "cost", [.integer(5), .real(10), .text("15.0")])) == 3)
      #expect(count(.isIn(key: "rack.cost", [.integer(7)])) == 2)
      let infinite = cauldronError {
        let node = PredicateNode.comparison(key: "cost", .less, .real(.infinity))
        _ = try Good.count(where: Where(node), in: context)
      }
      #expect(infinite?.code == .queryTypeMismatch)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a Duration that no store keeps is compared with nothing`(_ kind: StoreKind) throws {
    let long = Duration.seconds(20_000_000_000)
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      func refuses(_ place: String, _ body: () throws -> Void) {
        let error = cauldronError { try body() }
        #expect(error?.code == .queryTypeMismatch, "\(place)")
        #expect(error?.message.contains("cannot be stored") == true, "\(place)")
      }
      refuses("plain") { _ = try Good.count(where: { $0.length > long }, in: context) }
      refuses("gathered") {
        _ = try Rack.count(where: { $0.goods.max { $0.length } > long }, in: context)
      }
      refuses("turned") {
        _ = try Rack.count(where: { long < $0.goods.max { $0.length } }, in: context)
      }
      refuses("list") { _ = try Good.count(where: { $0.rack.length.isIn([long]) }, in: context) }
      refuses("having") {
        _ = try Good.grouped(by: \.name).having { $0.max(\.length) > long }.count(in: context)
      }
      let short = Duration.seconds(2)
      #expect(try Rack.count(where: { $0.goods.max { $0.length } >= short }, in: context) == 1)
    }
    withExtendedLifetime(shop) {}
  }

  @Test func `objects have no order, and that is what is said`() throws {
    let bench = try Bench(.memory, model: try Shop.model())
    let context = bench.child()
    fill(context)
    let many = cauldronError {
      _ = try ObjectQuery<Rack>().sorted(by: [SortKey("goods")]).fetch(in: context)
    }
    #expect(
      many?.description
        == "Rack: objects have no order: goods. Sort by one of their attributes.")
    let one = cauldronError { _ = try ObjectQuery<Good>().max(by: \.rack, in: context) }
    #expect(one?.message.contains("objects have no order: rack") == true)
    let least = cauldronError { _ = try ObjectQuery<Good>().min(by: \.rack, in: context) }
    #expect(least?.message.contains("objects have no order: rack") == true)
  }
}
