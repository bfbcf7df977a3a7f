import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Format strings as callers write them, over saved and unsaved objects.
@Suite(.againstHanging) struct FormatCallTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
    let company = Company.named("Acme", in: context)
    for (name, age) in [("ada", 36), ("bob", 20), ("cyd", 36)] {
      let person = Person.named(name, age: age, at: name == "bob" ? nil : company, in: context)
      person.email = "\(name)@x"
    }
    try context.saveAndWait(toPersistentStore: true)
    Person.named("dan", age: 36, at: company, in: context)
  }

  private func names(_ format: String, _ arguments: Any?...) throws -> [String] {
    let condition = try Where<Person>(format: format, arguments: arguments)
    return try Person.findAll(where: condition, sortedBy: \.name, in: context).map(\.name)
  }

  @Test func `findAll, findFirst, count, hasAny, matching and deleteAll take format strings`()
    throws
  {
    let found = try Person.findAll(
      matching: "age >= %@ AND employer.name BEGINSWITH[cd] %@", 18, "ac",
      sortedBy: \.age, \.name, ascending: false, limit: 2, in: context)
    #expect(found.map(\.name) == ["dan", "cyd"])
    let last = try Person.findFirst(
      matching: "age == %d", 36, sortedBy: \.name, ascending: false, in: context)
    #expect(last?.name == "dan")
    #expect(try Person.findFirst(matching: "age > 99", in: context) == nil)
    #expect(try Person.matching("employer == nil").count(in: context) == 1)
    #expect(try Person.matching("name == %@", "bob").exists(in: context))
    #expect(try !Person.matching("name == %@", "bo").exists(in: context))
    #expect(try Person.matching("age < %@", 30).count(in: context) == 1)
    #expect(try Company.matching("ANY employees.age < 36").count(in: context) == 0)
    #expect(try Company.matching("ALL employees.age == 36").count(in: context) == 1)
    #expect(try Company.matching("employees.@count == 3").count(in: context) == 1)
    #expect(
      try Company.matching("SUBQUERY(employees, $p, $p.name == 'dan' AND $p.age > 3).@count == 1")
        .count(in: context) == 1)
    let gone = try Where<Person>(format: "name IN %@", ["dan", "bob"])
    #expect(try Person.deleteAll(where: gone, in: context) == 2)
    #expect(try Person.count(in: context) == 2)
  }

  @Test func `arguments may be values, lists, ranges, objects, key paths and nil`() throws {
    let company = try #require(try Company.findFirst(in: context))
    let bob = try #require(try Person.findFirst(\.name, "bob", in: context))
    #expect(try names("age == %@", 20) == ["bob"])
    #expect(try names("age == %ld", Int16(20)) == ["bob"])
    #expect(try names("age < %f", 20.5) == ["bob"])
    #expect(try names("%K == %@", "name", "bob") == ["bob"])
    #expect(try names("%K == %@", \Person.name, "bob") == ["bob"])
    #expect(try names("%K == %@", "employer.name", "Acme") == ["ada", "cyd", "dan"])
    #expect(try names("employer.%K == %s", "name", "Acme") == ["ada", "cyd", "dan"])
    #expect(try names("employer == %@", company) == ["ada", "cyd", "dan"])
    #expect(try names("employer == %@", company.objectID) == ["ada", "cyd", "dan"])
    #expect(try names("employer != %@", company) == ["bob"])
    #expect(try names("employer == %@", nil) == ["bob"])
    #expect(try names("employer == %@", bob.employer) == ["bob"])
    #expect(try names("employer IN %@", [company]) == ["ada", "cyd", "dan"])
    #expect(try names("employer IN %@", [company, nil]) == ["ada", "bob", "cyd", "dan"])
    #expect(try names("employer IN %@", [Company]()) == [])
    #expect(try names("SELF == %@", bob) == ["bob"])
    #expect(try names("objectID == %@", bob.objectID) == ["bob"])
    #expect(try names("SELF IN %@", company.employees) == ["ada", "cyd", "dan"])
    #expect(try names("NOT SELF IN %@", [bob]) == ["ada", "cyd", "dan"])
    #expect(try names("name IN %@", Set(["ada", "bob", "x"])) == ["ada", "bob"])
    #expect(try names("age BETWEEN %@", [10, 30]) == ["bob"])
    #expect(try names("age BETWEEN %@", 10...30) == ["bob"])
    #expect(try names("age IN %@", 10...30) == ["bob"])
    #expect(try names("age BETWEEN {%@, %@}", 10, 30) == ["bob"])
    #expect(try names("name == %@", "x' OR 'a' == 'a") == [])
    #expect(try Company.matching("employees CONTAINS %@", bob).count(in: context) == 0)
    #expect(try Company.matching("%@ IN employees", bob).count(in: context) == 0)
    #expect(try Company.matching("ANY employees == %@", bob).count(in: context) == 0)
    #expect(try Company.matching("NONE employees == %@", bob).count(in: context) == 1)
    #expect(try Company.matching("ANY employees IN %@", [Person]()).count(in: context) == 0)
    let young = try Where<Person>(
      format: "age < $age AND employer == $firm", arguments: [],
      variables: ["age": 40, "firm": company])
    #expect(try Person.count(where: young, in: context) == 3)
  }

  @Test func `cases of an enumeration, dates, UUIDs, bytes and decimals are arguments`() throws {
    let bench = try Bench(model: ManagedObjectModel(Everything.self))
    let context = bench.child()
    let object = Everything.create(in: context)
    object.mood = .bad
    #expect(try Everything.matching("mood == %@", Mood.bad).count(in: context) == 1)
    #expect(try Everything.matching("mood IN %@", [Mood.fine]).count(in: context) == 0)
    object.text = "a\"\\"
    (object.int, object.int16, object.flag) = (-5, 7, true)
    (object.double, object.float) = (0.1, 0.25)
    object.uuid = UUID()
    object.level = .high
    object.decimal = Decimal(string: "12.50") ?? 0
    object.date = Date(timeIntervalSinceReferenceDate: 5.5)
    object.data = Data([1, 2])
    object.url = try #require(URL(string: "https://a.b"))
    let values: [(String, Any?)] = [
      ("text", object.text), ("int", object.int), ("int16", object.int16), ("flag", object.flag),
      ("double", object.double), ("float", object.float), ("decimal", object.decimal),
      ("date", object.date), ("data", object.data), ("uuid", object.uuid), ("url", object.url),
      ("mood", object.mood), ("level", object.level),
    ]
    for (name, value) in values {
      let condition = try Where<Everything>(
        format: "%K == %@ AND %K IN %@", name, value, name, [value])
      #expect(try Everything.count(where: condition, in: context) == 1, "\(condition.node)")
      let again = try PredicateNode(format: "\(condition.node)")
      #expect(try Everything.count(where: Where(again), in: context) == 1, "\(again)")
    }
    #expect(
      try Everything.matching("decimal == 12.5 AND decimal IN {1, 12.5}").count(in: context) == 1)
    #expect(try Everything.matching("decimal > 12 AND decimal < 13").count(in: context) == 1)
  }

  @Test func `what cannot be asked of an entity is refused by the fetch`() throws {
    func refusal(_ format: String) -> String {
      do {
        _ = try Company.matching(format).count(in: context)
        return "none"
      } catch { return "\(error)" }
    }
    #expect(refusal("nmae == 'x'") == "Company has no property \"nmae\". Did you mean \"name\"?")
    #expect(
      refusal("ANY employees.agee > 3") == "Person has no property \"agee\". Did you mean \"age\"?")
    #expect(
      refusal("ANY name == 'x'")
        == "Company: ANY asks of the objects of a to-many relationship, and name leads through none."
        + " Leave ANY out.")
    #expect(
      refusal("ANY employees.age > rating")
        == "Company: ANY asks of the objects of employees, and rating is none of their paths.")
    #expect(refusal("name > 5") == "Company.name is String; it cannot be compared with a number.")
    #expect(
      refusal("employees.age > 5")
        == "Company: the path \"employees.age\" leads through employees, which is to-many."
        + " Ask of any, all or none of the objects: { $0.employees.any { … } }.")
    #expect(
      refusal("count:(SELF) > 5")
        == "Company: what is gathered from rows needs groups. Use grouped(by:).")
    #expect(refusal("employees == 5").contains("it cannot be compared"))
  }

  @Test @MainActor func `short forms use the default context`() throws {
    let stack = try Stack.inMemory(model: Office.model())
    try Stack.$current.withValue(stack) { () throws in
      for (name, age) in [("ada", 36), ("bob", 20), ("cyd", 36)] {
        Person.named(name, age: age, in: ManagedObjectContext.default)
      }
      let found = try Person.findAll(matching: "age == %@", 36, sortedBy: \.name.descending)
      #expect(found.map(\.name) == ["cyd", "ada"])
      #expect(try Person.findFirst(matching: "age == 20")?.name == "bob")
      #expect(try Person.count(where: Where(format: "age > %@", 20)) == 2)
      #expect(try Person.hasAny(where: Where(format: "age > %@", 20)))
      #expect(try Person.deleteAll(where: Where(format: "age > %@", 20)) == 2)
      #expect(try Person.count() == 1)
    }
  }
}
