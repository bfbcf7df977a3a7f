import Cauldron
import Testing

@Suite struct KeyPathTests {
  private func refusal(_ condition: Where<Person>) throws -> CauldronError? {
    let context = try Bench().child()
    let error = cauldronError { _ = try Person.findAll(where: condition, in: context) }
    #expect(cauldronError { _ = try Person.count(where: !condition, in: context) } != nil)
    #expect(error?.code == .queryUnsupported && error?.entity == "Person")
    return error
  }

  @Test func `a path through a relationship is refused by name, with what works`() throws {
    let error = try refusal(\.employer?.name == "acme")
    #expect(
      error?.description
        == "Person: a condition or an order cannot follow the key path \"employer.name\"."
        + " Write it with the builder: { $0.employer.name … }.")
    #expect(error?.property == "employer.name")
    #expect(try refusal(.beginsWith(\.employer?.name, "a"))?.property == "employer.name")
  }

  @Test func `a path into a text is refused by name`() throws {
    let error = try refusal(\.name.count == 3)
    #expect(
      error?.description
        == "Person: a condition or an order cannot follow the key path \"name.count\"."
        + " Use a whole attribute, or filter or sort the fetched objects instead.")
    #expect(try refusal(\.name.isEmpty == true)?.property == "name.isEmpty")
  }

  @Test func `the number of a relationship's objects is refused by name`() throws {
    let context = try Bench().child()
    let error = cauldronError {
      _ = try Company.findAll(where: \.employees.count > 3, in: context)
    }
    #expect(
      error?.description
        == "Company: a condition or an order cannot follow the key path \"employees.count\"."
        + " Write it with the builder: { $0.employees.count … }.")
  }

  @Test func `what is computed is no attribute of its type`() throws {
    let context = try Bench().child()
    let company = Company.named("Acme", in: context)
    Person.named("ada", age: 36, at: company, in: context)
    let errors = [
      try refusal(\.doubleAge > 1), try refusal(\.isGrown == true),
      try refusal(\.isDeleted == true),
      cauldronError { _ = try Person.findAll(sortedBy: \.doubleAge, in: context) },
      cauldronError { _ = try Person.select(\.doubleAge).fetch(in: context) },
      cauldronError { _ = try ObjectQuery<Person>().sum(\.doubleAge, in: context) },
      cauldronError { _ = try Person.grouped(by: \.isGrown).count(in: context) },
      cauldronError { _ = try Person.findFirst(\.doubleAge, 72, in: context) },
      cauldronError { _ = try Company.count(where: \.isLarge == true, in: context) },
    ]
    for error in errors { #expect(error?.code == .queryUnsupported) }
    #expect(
      errors[0]?.description
        == "Person: a key path leads to no property that is stored, but to a value of type Int."
        + " Use a whole attribute, or filter or sort the fetched objects instead.")
  }

  @Test func `a step without a name is told by its type`() throws {
    #expect(try refusal(\.name.utf8.count == 3)?.message.contains("…") == true)
    #expect(try refusal(\.age.bitWidth == 64)?.message.contains("age") == true)
  }
}

extension Person {
  fileprivate var doubleAge: Int { age * 2 }
  fileprivate var isGrown: Bool { age > 17 }
}

extension Company {
  fileprivate var isLarge: Bool { employees.count > 100 }
}
