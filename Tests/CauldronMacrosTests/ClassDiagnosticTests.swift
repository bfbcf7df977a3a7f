import Testing

struct ClassDiagnosticTests {
  @Test func `a struct gets a fix-it`() {
    let expansion = Expansion("@Entity struct Person {\n  var name: String\n}")
    #expect(expansion.messages == ["1:9 '@Entity' needs a class; 'Person' is a struct"])
    #expect(
      expansion.fixed == [
        .init(
          message: "replace 'struct' with 'final class'",
          source: "@Entity final class Person: ManagedObject {\n  var name: String\n}")
      ])
    expectRepaired(expansion)
  }

  @Test func `an actor gets a fix-it that keeps its protocols`() {
    let expansion = Expansion("@Entity actor Person: Hashable {}")
    #expect(expansion.messages == ["1:9 '@Entity' needs a class; 'Person' is an actor"])
    #expect(
      expansion.fixed == [
        .init(
          message: "replace 'actor' with 'final class'",
          source: "@Entity final class Person: ManagedObject, Hashable {}")
      ])
    expectRepaired(expansion)
  }

  @Test func `an enumeration is refused`() {
    let expansion = Expansion("@Entity enum Person {}")
    #expect(expansion.messages == ["1:9 '@Entity' needs a class; 'Person' is an enum"])
    #expect(expansion.fixed == [])
  }

  @Test func `a class without superclass gets one`() {
    let expansion = Expansion("@Entity final class Person {\n  var name: String\n}")
    #expect(expansion.messages == ["1:21 'Person' must inherit from 'ManagedObject'"])
    #expect(
      expansion.fixed == [
        .init(
          message: "inherit from 'ManagedObject'",
          source: "@Entity final class Person: ManagedObject {\n  var name: String\n}")
      ])
    expectRepaired(expansion)
  }

  @Test func `a well-known protocol is not taken for a superclass`() {
    let expansion = Expansion("@Entity final class Person: Codable, Greeter {}")
    #expect(expansion.messages == ["1:21 'Person' must inherit from 'ManagedObject'"])
    #expect(
      expansion.fixed.map(\.source) == [
        "@Entity final class Person: ManagedObject, Codable, Greeter {}"
      ])
    expectRepaired(expansion)
  }

  @Test func `the base class may have Core Data's name`() {
    let members = "var name: String"
    let old = Expansion("@Entity final class Person: NSManagedObject { \(members) }")
    let new = Expansion("@Entity final class Person: ManagedObject { \(members) }")
    #expect(old.messages == [])
    #expect(old.text.replacing("NSManagedObject", with: "ManagedObject") == new.text)
  }

  @Test func `a generic class is refused`() {
    let expansion = Expansion("@Entity final class Box<T>: ManagedObject {}")
    #expect(expansion.messages == ["1:24 '@Entity' does not support generic classes"])
    #expect(expansion.fixed == [])
  }

  @Test func `a class inside a generic type is refused`() {
    let expansion = Expansion("struct Box<T> {\n  @Entity final class Person: ManagedObject {}\n}")
    #expect(
      expansion.messages == [
        "2:23 '@Entity' does not support classes inside generic types; move 'Person' out"
      ])
  }

  @Test func `a class inside a function is refused`() {
    let expansion = Expansion("func make() {\n  @Entity final class Person: ManagedObject {}\n}")
    #expect(
      expansion.messages == [
        "2:23 '@Entity' does not support classes inside functions; move 'Person' out"
      ])
  }

  @Test func `a private class inside a type becomes fileprivate`() {
    let expansion = Expansion(
      "enum Models {\n  @Entity private final class Person: ManagedObject {}\n}")
    #expect(
      expansion.messages == [
        "2:31 'Person' is private to the type around it; "
          + "'@Entity' needs at least 'fileprivate' there"
      ])
    #expect(
      expansion.fixed == [
        .init(
          message: "replace 'private' with 'fileprivate'",
          source: "enum Models {\n  @Entity fileprivate final class Person: ManagedObject {}\n}")
      ])
    expectRepaired(expansion)
  }

  @Test func `a private class at file scope is accepted`() {
    let expansion = Expansion("@Entity private final class Person: ManagedObject {}")
    #expect(expansion.messages == [])
  }

  @Test func `an interpolated entity name is refused`() {
    let expansion = Expansion(#"@Entity("Per\(son)") final class Person: ManagedObject {}"#)
    #expect(
      expansion.messages == [
        "1:9 the name of an entity must be a string literal without interpolation"
      ])
  }

  @Test func `a refused class gets no generated members`() {
    let expansion = Expansion("@Entity struct Person {\n  @Attribute var name: String\n}")
    #expect(expansion.messages.count == 1)
    #expect(!expansion.text.contains("_describeEntity"))
    #expect(!expansion.text.contains("_get("))
  }
}
