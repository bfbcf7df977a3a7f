import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Sums, extremes and groups: how wide they are, and what a window means to them.
@Suite(.againstHanging) struct GatheringTests {
  private func fill(_ context: ManagedObjectContext) {
    for number in 1...4 {
      let good = Good.create(in: context)
      good.name = number < 3 ? "a" : (number == 3 ? "b" : "c")
      good.level = 10_000
      good.height = 2_000_000_000
      good.ratio = 0x1p24
      good.count = number
      good.price = 2.5
      good.day = number < 3 ? Date(timeIntervalSinceReferenceDate: Double(number)) : nil
      good.isOld = number == 4
      good.status = number == 1 ? .sold : .fresh
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `sums and products of narrow numbers are wide`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      let all = ObjectQuery<Good>()
      #expect(try all.sum(\.level, in: context) == 40_000)
      #expect(try all.sum(\.height, in: context) == 8_000_000_000)
      #expect(try all.where(\.count == 1).sum(\.ratio, in: context) == 0x1p24)
      let groups = try Good.grouped(by: \.isOld).having { $0.sum(\.level) > 20_000 }
        .sum(\.level, in: context)
      #expect(groups.map(\.value) == [30_000])
      let values = try all.values(in: context) { ($0.sum(\.level), $0.sum(\.height)) }
      #expect(values.0 == 40_000 && values.1 == 8_000_000_000)
      let squares = try Good.select { ($0.level * $0.level, $0.height + 2_000_000_000) }
        .limit(1).fetch(in: context)
      #expect(squares.map(\.0) == [100_000_000] && squares.map(\.1) == [4_000_000_000])
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a Bool counts 1 where it is true, and its extremes are Bools`(_ kind: StoreKind) throws {
    let shop = try Shop(kind) { context in
      let rack = Rack.create(in: context)
      for (number, good) in (0..<5).map({ ($0, Good.create(in: context)) }) {
        good.name = number == 4 ? "b" : "a"
        good.isOld = number < 3
        good.isRare = number == 0 ? nil : number == 1
        if number < 4 { good.rack = rack }
      }
    }
    for context in shop.contexts {
      let all = ObjectQuery<Good>()
      let none = all.where(\.name == "c")
      #expect(try all.sum(\.isOld, in: context) == 3)
      #expect(try all.sum(\.isRare, in: context) == 1)
      #expect(try all.average(\.isOld, in: context) == 0.6)
      #expect(try all.average({ $0.isRare }, in: context) == 0.25)
      #expect(try all.min(\.isOld, in: context) == false)
      #expect(try all.max(\.isRare, in: context) == true)
      #expect(try all.where(\.isOld).min(\.isOld, in: context) == true)
      #expect(try none.sum(\.isOld, in: context) == 0)
      #expect(try none.max(\.isOld, in: context) == nil)
      let groups = Good.grouped(by: \.name)
      #expect(try groups.sum(\.isOld, in: context).map(\.value) == [3, 0])
      #expect(try groups.max(\.isRare, in: context).map(\.value) == [true, false])
      #expect(try groups.min(\.isOld, in: context).map(\.value) == [false, false])
      let shares = groups.having { $0.sum(\.isOld) > 1 && $0.max(\.isOld) == true }
      #expect(try shares.average(\.isOld, in: context).map(\.value) == [0.75])
      let values = try all.values(in: context) { ($0.sum(\.isRare), $0.min(\.isRare)) }
      #expect(values.0 == 1 && values.1 == false)
      let racks = try Rack.count(
        where: {
          $0.goods.sum { $0.isOld } == 3 && $0.goods.average { $0.isOld } == 0.75
            && $0.goods.min { $0.isOld } == false && $0.goods.max { $0.isRare } == true
        }, in: context)
      #expect(racks == 1)
      let text = """
        goods.@sum.isOld == 3 AND goods.@avg.isOld == 0.75 AND sum:(goods.isRare) == 1 \
        AND goods.@min.isOld == NO AND goods.@max.isRare == YES
        """
      #expect(try Rack.matching(text).count(in: context) == 1)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a column of integers beyond 64 bits is told`(_ kind: StoreKind) throws {
    let shop = try Shop(kind) { context in
      let good = Good.create(in: context)
      good.count = .max
      good.other = 3
    }
    for context in shop.contexts {
      let error = cauldronError { _ = try Good.select { $0.count * $0.other }.fetch(in: context) }
      #expect(error?.code == .queryOverflow)
      let sum = cauldronError {
        _ = try ObjectQuery<Good>().values(in: context) {
          ($0.sum { $0.count * $0.other }, $0.count)
        }
      }
      #expect(sum?.code == .queryOverflow)
      let large = 9_000_000_000_000_000_000
      #expect(try Good.count(where: { $0.count * $0.other > large }, in: context) == 1)
      #expect(try Good.select { $0.count * $0.other / 4 }.fetch(in: context).count == 1)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `a window before what is gathered is one of objects`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      let sorted = ObjectQuery<Good>().sorted(by: \.count, ascending: false)
      #expect(try sorted.limit(2).sum(\.count, in: context) == 7)
      #expect(try sorted.offset(3).average(\.count, in: context) == 1)
      #expect(try sorted.limit(0).sum(\.count, in: context) == 0)
      #expect(try sorted.offset(1).max(by: \.count, in: context)?.count == 3)
      #expect(try sorted.limit(0).max(by: \.count, in: context) == nil)
      #expect(try sorted.limit(2).min(by: \.count, in: context)?.count == 3)
      #expect(try ObjectQuery<Good>().max(by: \.count, in: context)?.count == 4)
      let two = try sorted.limit(2).grouped(by: \.name).count(in: context)
      #expect(two.map(\.key) == ["b", "c"] && two.map(\.value) == [1, 1])
      let groups = Good.grouped(by: \.name)
      #expect(try groups.limit(1).offset(1).count(in: context).map(\.key) == ["b"])
      #expect(cauldronError { _ = try groups.offset(-1).count(in: context) } != nil)
      #expect(cauldronError { _ = try sorted.limit(-1).sum(\.count, in: context) } != nil)
      let free = cauldronError { _ = try sorted.grouped(by: \.name).count(in: context) }
      #expect(free?.code == .queryUnsupported)
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `groups take conditions, keys, optionals and enumerations`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      let last = Date(timeIntervalSinceReferenceDate: 2)
      #expect(try ObjectQuery<Good>().max(\.day, in: context) == last)
      #expect(try ObjectQuery<Good>().sum(\.weight, in: context) == 0)
      let days = try Good.grouped(by: \.name).max(\.day, in: context)
      #expect(days.map(\.value) == [last, nil, nil])
      let old = Good.grouped(by: \.name)
      #expect(try old.where(\.isOld).count(in: context).map(\.key) == ["c"])
      #expect(try old.where { $0.count < 3 }.count(in: context).map(\.value) == [2])
      let keys = try old.having { $0.key.name != "b" }.sorted { $0.key.name.descending }
        .count(in: context)
      #expect(keys.map(\.key) == ["c", "a"])
      let states = try Good.grouped { $0.status.rawValue }.count(in: context)
      #expect(states.map(\.key) == [1, 2] && states.map(\.value) == [3, 1])
      let raw = try Good.select { $0.status.rawValue }.distinct().fetch(in: context)
      #expect(raw == [1, 2])
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `equal numbers make one group, whatever they came from`(_ kind: StoreKind) throws {
    let shop = try Shop(kind) { context in
      for (count, other, third) in [(Int.max, 2, Int.max), (4, 1, 2)] {
        let good = Good.create(in: context)
        good.count = count
        good.other = other
        good.third = third
      }
    }
    for context in shop.contexts {
      let groups = try Good.grouped { $0.count * $0.other / $0.third }.count(in: context)
      #expect(groups.map(\.key) == [2] && groups.map(\.value) == [2])
      let lines = try Good.select { $0.count * $0.other / $0.third }.distinct().fetch(in: context)
      #expect(lines == [2])
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `what a group makes of constants and equal lines is one line`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      var one = ValueRequest(FetchRequest<Good>())
      one.columns = [.value(.integer(1))]
      one.groups = []
      #expect(try context.fetchValues(one) == [[.integer(1)]])
      one.objects.predicate = .constant(false)
      #expect(try context.fetchValues(one) == [[.integer(1)]])
      var equal = ValueRequest(FetchRequest<Good>())
      equal.columns = [.aggregate(.count, of: "SELF", nil)]
      equal.groups = [.property("name")]
      equal.isDistinct = true
      #expect(try context.fetchValues(equal) == [[.integer(1)], [.integer(2)]])
      equal.objects.limit = 1
      #expect(try context.fetchValues(equal) == [[.integer(1)]])
    }
    withExtendedLifetime(shop) {}
  }

  @Test(arguments: StoreKind.allCases)
  func `what is gathered from rows needs groups`(_ kind: StoreKind) throws {
    let shop = try Shop(kind, fill)
    for context in shop.contexts {
      let count = QueryExpression.aggregate(.count, of: "SELF", nil)
      let many = PredicateNode.comparison(count, .greater, .value(.integer(2)), [])
      func refuses(_ request: FetchRequest<Good>, _ place: String) {
        let error = cauldronError { _ = try context.fetch(request) }
        #expect(error?.code == .queryUnsupported, "\(place)")
        #expect(error?.message.contains("needs groups") == true, "\(place)")
      }
      var condition = FetchRequest<Good>()
      condition.predicate = .not(.and([many, .constant(true), .isNil(key: "code")]))
      refuses(condition, "condition")
      var order = FetchRequest<Good>()
      order.sortKeys = [SortKey(count)]
      refuses(order, "order")
      var inner = FetchRequest<Good>()
      inner.sortKeys = [SortKey(.conditional(many, .value(.integer(1)), .value(.integer(2))))]
      refuses(inner, "condition of an expression")
      var lines = ValueRequest(order)
      lines.columns = [.property("name")]
      #expect(cauldronError { _ = try context.fetchValues(lines) }?.code == .queryUnsupported)
      lines = ValueRequest(FetchRequest<Good>())
      lines.columns = [.conditional(many, .value(.integer(1)), .value(.integer(2)))]
      #expect(cauldronError { _ = try context.fetchValues(lines) }?.code == .queryUnsupported)
      lines.groups = [.property("name")]
      lines.having = many
      #expect(try context.fetchValues(lines).isEmpty)
      lines.columns = [.aggregate(.sum, of: "SELF", count)]
      #expect(cauldronError { _ = try context.fetchValues(lines) }?.code == .queryUnsupported)
    }
    withExtendedLifetime(shop) {}
  }
}
