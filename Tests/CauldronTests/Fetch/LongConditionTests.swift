import Cauldron
import TestSupport
import Testing

@Suite struct LongConditionTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    let bench = try Bench(kind)
    let context = bench.child()
    for age in 0..<20 { Person.named("p\(age)", age: age, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    return bench
  }

  /// Sanitizers look at every access, so that a tenth tells as much.
  private static let most = slack >= 5 ? 10_000 : 100_000

  @Test(arguments: StoreKind.allCases, [45, 2_000, most])
  func `a chain of any length is answered`(_ kind: StoreKind, _ length: Int) throws {
    let bench = try bench(kind)
    let reader = bench.child()
    Person.named("pending", age: 7, in: reader)
    var any: Where<Person> = \.age == 5
    var all: Where<Person> = \.age != 5
    var mixed: Where<Person> = \.name == "p3"
    for number in 0..<length {
      any = any || \.age == number + 6
      all = all && \.age != number + 6
      mixed = .beginsWith(\.name, "x\(number)") || mixed
    }
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try Person.count(where: any, in: reader) == 16)
    #expect(try Person.count(where: all, in: reader) == 5)
    #expect(try Person.findAll(where: mixed, in: reader).map(\.name) == ["p3"])
    #expect(try Person.findAll(where: !any && !mixed, in: reader).count == 4)
    #expect(clock.now - start < .seconds(600))
  }

  @Test(arguments: StoreKind.allCases)
  func `negations of any depth are answered`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let context = bench.child()
    var condition: Where<Person> = \.age < 5
    for _ in 0..<100_001 { condition = !condition }
    #expect(try Person.count(where: condition, in: context) == 15)
  }

  @Test(arguments: StoreKind.allCases, [30, 90])
  func `conditions within one another are answered`(_ kind: StoreKind, _ depth: Int) throws {
    let bench = try bench(kind)
    let context = bench.child()
    var condition: Where<Person> = \.age == 0
    for age in 1..<depth {
      condition =
        age.isMultiple(of: 2) ? \.age == age || condition : \.age != 100 + age && condition
    }
    let found = try Person.findAll(where: condition, sortedBy: \.age, in: context).map(\.age)
    #expect(found == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
  }

  @Test(arguments: StoreKind.allCases)
  func `what is nested without end is refused, and the program goes on`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let context = bench.child()
    var condition: Where<Person> = \.age == 0
    for age in 1..<100_000 { condition = !(\.age == age && condition) }
    let error = cauldronError { _ = try Person.findAll(where: condition, in: context) }
    #expect(error?.code == .queryTooDeep && error?.entity == "Person")
  }
}
