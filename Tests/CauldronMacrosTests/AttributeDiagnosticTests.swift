import Testing

struct AttributeDiagnosticTests {
  @Test func `a custom type needs a default value or an optional type`() {
    let expansion = expandMembers("var mood: Mood")
    #expect(
      expansion.messages == [
        "2:5 attribute 'mood' of type 'Mood' needs a default value or an optional type"
      ])
    #expect(
      expansion.fixedMembers == [
        "add a default value → var mood: Mood = <#default#>",
        "change the type to 'Mood?' → var mood: Mood?",
      ])
    expectRepaired(expansion)
  }

  @Test func `a transient function needs a default value or an optional type`() {
    let expansion = expandMembers("@Transient var action: () -> Void")
    #expect(
      expansion.messages == [
        "2:16 attribute 'action' of type '() -> Void' needs a default value or an optional type"
      ])
    #expect(
      expansion.fixedMembers == [
        "add a default value → @Transient var action: () -> Void = <#default#>",
        "change the type to '(() -> Void)?' → @Transient var action: (() -> Void)?",
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: [
    "(Int) -> Void", "(Int, String)?", "Any", "AnyObject", "any Greeter", "some Greeter",
    "(any Greeter)?", "Greeter & Sendable", "Person.Type", "[Any]", "[String: () -> Void]?",
    "Set<AnyObject>",
  ])
  func `an unsupported type can be transient`(type: String) {
    let expansion = expandMembers("var x: \(type)")
    #expect(expansion.messages == ["2:5 attribute 'x' has the unsupported type '\(type)'"])
    #expect(
      expansion.fixedMembers == [
        "mark it '@Transient', which keeps it in memory only → @Transient var x: \(type)"
      ])
  }

  @Test func `an unsupported type marked as attribute becomes transient`() {
    let expansion = expandMembers("@Attribute var x: (() -> Void)?")
    #expect(
      expansion.fixedMembers == [
        "mark it '@Transient', which keeps it in memory only → @Transient var x: (() -> Void)?"
      ])
    expectRepaired(expansion)
  }

  @Test func `an implicitly unwrapped type becomes optional`() {
    let expansion = expandMembers("var name: String!")
    #expect(expansion.messages == ["2:5 attribute 'name' has the unsupported type 'String!'"])
    #expect(expansion.fixedMembers == ["change the type to 'String?' → var name: String?"])
    expectRepaired(expansion)
  }

  @Test func `an unsigned integer becomes a wider signed one`() {
    let expansion = expandMembers("var port: UInt16? = 80")
    #expect(expansion.messages == ["2:5 attribute 'port' has the unsupported type 'UInt16?'"])
    #expect(expansion.fixedMembers == ["change the type to 'Int32?' → var port: Int32? = 80"])
    expectRepaired(expansion)
  }

  @Test func `a refused attribute brings no errors of the compiler`() {
    let expansion = expandMembers("var mood: Mood")
    #expect(expansion.text.contains("get {\n    Swift.preconditionFailure()"))
  }
}
