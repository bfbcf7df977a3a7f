import Testing

struct PropertyListDiagnosticTests {
  @Test func `the lists enter the description and vanish`() {
    let expansion = Expansion(
      #"""
      @Entity final class Tag: ManagedObject {
        #Unique<Tag>([\.name], [\Tag.kind, \.`class`])
        #Index<Tag>([\.kind, \.order])
        var name: String
        var kind: String
        var `class`: Int = 0
        var order: Int = 0
      }
      """#)
    #expect(expansion.messages == [])
    #expect(
      expansion.text.contains(
        #"""
              uniquenessConstraints: [["name"], ["kind", "class"]],
              indexes: [IndexDescription(properties: ["kind", "order"])],
              managedObjectClass: ObjectClass(Tag.self))
        """#))
    #expect(!expansion.text.contains("#"))
  }

  @Test func `an attribute alone is marked at its place`() {
    let expansion = expandMembers(
      "@Attribute(.unique, type: .string) var a: String\n@Attribute(.indexed) var b: Int = 0\n"
        + "#Unique<Person>([\\.b])")
    #expect(expansion.messages == [])
    #expect(expansion.text.contains(#"uniquenessConstraints: [["a"], ["b"]],"#))
    #expect(expansion.text.contains(#"indexes: [IndexDescription(properties: ["b"])],"#))
    #expect(expansion.text.contains(#"._attribute("a", String.self, type: .string)"#))
  }

  @Test func `what is marked and listed is there twice`() {
    let expansion = expandMembers("@Attribute(.unique) var a: String\n#Unique<Person>([\\.a])")
    #expect(expansion.messages == ["3:17 '#Unique' has the list of 'a' twice"])
  }

  @Test(arguments: ["Unique", "Index"])
  func `a key path by itself is put in brackets`(macro: String) {
    let expansion = expandMembers("#\(macro)<Person>(\\.name)\nvar name: String")
    #expect(
      expansion.messages == [
        "2:\(11 + macro.count) '#\(macro)' needs lists of key paths written out, such as '[\\.name]'"
      ])
    #expect(
      expansion.fixedMembers == [
        "put it in brackets → #\(macro)<Person>([\\.name])\nvar name: String"
      ])
    expectRepaired(expansion)
  }

  @Test func `lists are written out`() {
    let expansion = expandMembers("#Index<Person>(paths, [paths[0]], [\\.a.b])\nvar a: String")
    let paths = "'#Index' needs key paths to properties of the class itself, written out"
    #expect(
      expansion.messages == [
        "2:16 '#Index' needs lists of key paths written out, such as '[\\.name]'",
        "2:24 \(paths)", "2:36 \(paths)",
      ])
  }

  @Test func `an empty list names nothing`() {
    let expansion = expandMembers("#Unique<Person>()\n#Index<Person>([])")
    #expect(
      expansion.messages == ["2:1 '#Unique' names no property", "3:16 '#Index' names no property"])
  }

  @Test func `what no column keeps is refused and can be removed`() {
    let expansion = expandMembers(
      #"""
      #Unique<Person>([\.name, \.cache, \.friends, \.initials, \.name])
      var name: String
      @Transient var cache: Int?
      @Relationship var friends: ToMany<Person>
      var initials: String { "" }
      """#)
    #expect(
      expansion.messages == [
        "2:26 '#Unique' needs properties that the store keeps; 'cache' is transient",
        "2:35 '#Unique' cannot name the to-many relationship 'friends', which has no column",
        "2:46 '#Unique' needs stored properties; 'initials' is not one",
        "2:58 '#Unique' names 'name' twice in one list",
      ])
    #expect(expansion.fixed.map(\.message).first == #"remove '\.cache'"#)
    #expect(
      expansion.fixed.first?.source
        .contains(#"#Unique<Person>([\.name, \.friends, \.initials, \.name])"#) == true)
  }

  @Test func `a fix-it leaves a list that is right`() {
    let expansion = expandMembers(
      "#Index<Person>([\\.name, \\.cache])\nvar name: String\n@Transient var cache: Int?")
    #expect(expansion.fixed.count == 1)
    expectRepaired(expansion)
  }

  @Test func `inherited properties are not known here`() {
    let expansion = Expansion(
      "@Entity final class Dog: Animal {\n#Unique<Dog>([\\.name])\nvar tricks: Int = 0\n}")
    #expect(expansion.messages == [])
  }

  @Test func `a list that is there twice`() {
    let expansion = expandMembers(
      "#Unique<Person>([\\.a, \\.b])\n#Index<Person>([\\.a, \\.b])\n#Unique<Person>([\\.a, \\.b])\n"
        + "var a: String\nvar b: String")
    #expect(expansion.messages == ["4:17 '#Unique' has the list of 'a', 'b' twice"])
  }

  @Test func `the class is that around it`() {
    let expansion = expandMembers("#Unique<Company>([\\.name])\nvar name: String")
    #expect(
      expansion.messages == ["2:9 '#Unique' names properties of the class around it, 'Person'"])
    #expect(
      expansion.fixedMembers == [
        "replace it with 'Person' → #Unique<Person>([\\.name])\nvar name: String"
      ])
    expectRepaired(expansion)
  }

  @Test func `conditions would be overlooked`() {
    let expansion = expandMembers("#if DEBUG\n#Index<Person>([\\.name])\n#endif\nvar name: String")
    #expect(expansion.messages == ["3:1 '#Index' cannot be inside '#if'"])
  }

  @Test func `a list needs an entity around it`() {
    let expansion = Expansion(
      "final class Person {\n#Unique<Person>([\\.name])\nvar name = \"\"\n}")
    #expect(expansion.messages == ["2:1 '#Unique' works only in an '@Entity' class"])
  }
}
