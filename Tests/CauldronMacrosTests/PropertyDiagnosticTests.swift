import Testing

struct PropertyDiagnosticTests {
  @Test(arguments: [
    ("0", "Int"), ("-1", "Int"), ("1.5", "Double"), ("true", "Bool"), ("\"x\"", "String"),
    ("UUID()", "UUID"), ("[String]()", "[String]"), ("make()", "<#Type#>"),
  ])
  func `a missing type is inferred where it is evident`(value: String, type: String) {
    let expansion = expandMembers("var name = \(value)")
    #expect(expansion.messages == ["2:5 attribute 'name' needs a type annotation"])
    #expect(expansion.fixedMembers == ["add ': \(type)' → var name: \(type) = \(value)"])
  }

  @Test func `a variable without type gets no accessors`() {
    let expansion = expandMembers("var name = 0")
    #expect(!expansion.text.contains("get {"))
  }

  @Test(arguments: ["objectID", "isDeleted", "entity"])
  func `what every object has keeps its name`(name: String) {
    let expansion = expandMembers("var \(name): String")
    #expect(
      expansion.messages == [
        "2:5 every object has a property '\(name)' by itself; give this one another name, and"
          + " 'originalName:' if a store has it"
      ])
    #expect(expandMembers("var description: String").messages == [])
  }

  @Test func `a let becomes a var`() {
    let expansion = expandMembers("let name: String")
    #expect(expansion.messages == ["2:5 'name' is a 'let'; an attribute is a 'var'"])
    #expect(expansion.fixedMembers == ["replace 'let' with 'var' → var name: String"])
    expectRepaired(expansion)
  }

  @Test func `a static let is left alone`() {
    let expansion = expandMembers("static let name = 3")
    #expect(expansion.messages == [])
  }

  @Test func `several variables in one declaration are taken apart`() {
    let expansion = expandMembers("public var a: Int, b: Int = 2")
    #expect(expansion.messages == ["2:12 attributes 'a', 'b' need a 'var' each"])
    #expect(
      expansion.fixedMembers == [
        "declare each by itself → public var a: Int; public var b: Int = 2"
      ])
    expectRepaired(expansion)
  }

  @Test func `a pattern is refused`() {
    let expansion = expandMembers("var (a, b) = (1, 2)")
    #expect(expansion.messages == ["2:5 an attribute needs a name of its own, not a pattern"])
  }

  @Test func `observers are refused`() {
    let expansion = expandMembers("var age: Int = 0 { didSet { print(age) } }")
    #expect(expansion.messages == ["2:5 attribute 'age' cannot have observers"])
    #expect(expansion.fixedMembers == ["remove the observers → var age: Int = 0"])
    expectRepaired(expansion)
  }

  @Test(arguments: ["lazy", "weak"])
  func `a modifier that needs storage is refused`(modifier: String) {
    let expansion = expandMembers("\(modifier) var age: Int? = 0")
    let column = modifier.count + 6
    #expect(expansion.messages == ["2:\(column) attribute 'age' cannot be '\(modifier)'"])
    #expect(expansion.fixedMembers == ["remove '\(modifier)' → var age: Int? = 0"])
    expectRepaired(expansion)
  }

  @Test func `a property inside a condition is refused`() {
    let expansion = expandMembers("#if DEBUG\nvar age: Int\n#endif")
    #expect(expansion.messages == ["2:1 attribute 'age' cannot be inside '#if'"])
  }

  @Test func `methods and computed properties inside a condition are left alone`() {
    let expansion = expandMembers("#if DEBUG\nvar age: Int { 3 }\nfunc grow() {}\n#endif")
    #expect(expansion.messages == [])
  }

  @Test func `a macro on a computed property is refused`() {
    let expansion = expandMembers("@Transient var age: Int { 3 }")
    #expect(
      expansion.messages == ["2:1 '@Transient' needs a stored instance property; 'age' is not one"])
    #expect(expansion.fixedMembers == ["remove '@Transient' → var age: Int { 3 }"])
    expectRepaired(expansion)
  }

  @Test func `a property wrapper is left alone`() {
    let expansion = expandMembers("@Clamped var age: Int = 3")
    #expect(expansion.messages == [])
    #expect(expansion.text.contains("@Clamped var age: Int = 3\n"))
  }

  @Test func `a macro outside an entity is refused`() {
    let expansion = Expansion("final class Person {\n  @Attribute var name: String\n}")
    #expect(expansion.messages == ["2:3 '@Attribute' works only in an '@Entity' class"])
  }
}
