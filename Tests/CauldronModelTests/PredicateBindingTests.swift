import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite("Binding predicates")
struct PredicateBindingTests {
  private let model: ManagedObjectModel
  private let person: EntityLayout

  init() throws {
    model = try TestModels.people()
    person = model.entity("Person")
  }

  @Test("An unknown key is refused with the nearest name")
  func unknown() {
    expect(
      .queryUnknownKey, "Person has no property \"nmae\". Did you mean \"name\"?",
      .comparison(key: "nmae", .equal, .text("x")))
    expect(.queryUnknownKey, "Person has no property \"zzzzzz\".", .isIn(key: "zzzzzz", []))
  }

  @Test("A property of a subentity is unknown to the superentity")
  func subentity() throws {
    let node = PredicateNode.comparison(key: "level", .equal, .integer(1))
    expect(.queryUnknownKey, "Person has no property \"level\".", node)
    #expect(throws: Never.self) { try node.bound(to: model.entity("Manager")) }
  }

  @Test("Values of another type are refused, wherever they stand in the tree")
  func types() {
    let text = "Person.age is Integer 64; it cannot be compared with text."
    let wrong = PredicateNode.comparison(key: "age", .equal, .text("x"))
    for node in [wrong, .not(wrong), .and([.constant(true), wrong]), .or([wrong])] {
      expect(.queryTypeMismatch, text, node)
    }
    expect(.queryTypeMismatch, text, .isIn(key: "age", [.integer(1), .text("x")]))
    expect(.queryTypeMismatch, text, .text(key: "age", .contains, "x"))
    expect(
      .queryTypeMismatch, "Person.name is String; it cannot be compared with a number.",
      .comparison(key: "name", .less, .real(1)))
    expect(
      .queryTypeMismatch, "Person.name is String; it cannot be compared with bytes.",
      .comparison(key: "name", .less, .blob(Data())))
  }

  @Test("Only numbers are compared with decimals, and decimals are not searched")
  func decimals() throws {
    for text in ["abc", "12abc", "", ".", "1e", " 1", "1,5"] {
      expect(
        .queryTypeMismatch, "Person.balance is Decimal; it cannot be compared with text.",
        .comparison(key: "balance", .equal, .text(text)))
    }
    for text in ["12", "-1.50", "+.5", "1.", "1e3", "2E-7", "NaN"] {
      #expect(throws: Never.self) {
        try PredicateNode.comparison(key: "balance", .equal, .text(text)).bound(to: person)
      }
    }
    expect(
      .queryTypeMismatch, "Person.balance is Decimal; it cannot be searched as text.",
      .text(key: "balance", .beginsWith, "1"))
  }

  @Test("Relationships are compared with objects, attributes with values")
  func relationships() {
    expect(
      .queryTypeMismatch,
      "Person.employer is a relationship; it cannot be compared with a value."
        + " Compare it with an object.", .comparison(key: "employer", .equal, .integer(1)))
    expect(
      .queryTypeMismatch,
      "Person.age is not a relationship; it cannot be compared with an object.",
      .refersTo(key: "age", []))
    #expect(throws: Never.self) { try PredicateNode.isNil(key: "employer").bound(to: person) }
    expect(
      .queryTypeMismatch,
      "Company.employees is a relationship; it cannot be compared with a value."
        + " Compare it with an object.", .isNil(key: "employees"), of: "Company")
  }

  @Test("Transient properties are refused")
  func transient() {
    expect(
      .queryUnsupported,
      "Person.note is transient; the store does not know it. Filter the fetched objects instead.",
      .comparison(key: "note", .equal, .text("x")))
  }

  @Test("Objects of other tables have no keys in this one")
  func otherTables() throws {
    let company = ManagedObjectID(key: 1, entityNumber: 1, storeNumber: 1)
    let manager = ManagedObjectID(
      key: 2, entityNumber: model.entity("Manager").number, storeNumber: 1)
    let ids = [company, manager]
    guard case .isSelf(let keys) = try PredicateNode.isSelf(ids).bound(to: person),
      case .refersTo(_, let targets) =
        try PredicateNode.refersTo(key: "employer", ids).bound(to: person)
    else {
      Issue.record("bound to something else")
      return
    }
    #expect(keys == [2])
    #expect(targets == [1])
  }

  private func expect(
    _ code: CauldronError.Code, _ text: String, _ node: PredicateNode,
    of entity: String = "Person", at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: CauldronError.self, sourceLocation: location) {
      try node.bound(to: model.entity(entity))
    }
    #expect(error?.code == code, sourceLocation: location)
    #expect(error?.description == text, sourceLocation: location)
  }
}
