import Testing

struct RelationshipDiagnosticTests {
  @Test func `a to-many property must be marked`() {
    let expansion = expandMembers("var employees: ToMany<Person>")
    #expect(
      expansion.messages == ["2:5 'employees' is a relationship; mark it '@Relationship'"])
    #expect(
      expansion.fixedMembers == [
        "mark it '@Relationship' → @Relationship var employees: ToMany<Person>"
      ])
    expectRepaired(expansion)
  }

  @Test func `a to-many property marked as attribute is marked anew`() {
    let expansion = expandMembers("@Attribute var employees: ToMany<Person>")
    #expect(
      expansion.fixedMembers == [
        "mark it '@Relationship' → @Relationship var employees: ToMany<Person>"
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: ["Int", "String?", "(Int) -> Void", "Any", "Pair<Int, Int>?"])
  func `a relationship leads to an entity`(type: String) {
    let expansion = expandMembers("@Relationship var age: \(type)")
    #expect(
      expansion.messages == ["2:19 '@Relationship' needs an entity; 'age' has the type '\(type)'"])
    #expect(expansion.fixedMembers == ["remove '@Relationship' → var age: \(type)"])
  }

  @Test func `a to-one relationship must be optional`() {
    let expansion = expandMembers("@Relationship var employer: Company")
    #expect(expansion.messages == ["2:19 to-one relationship 'employer' must be optional"])
    #expect(
      expansion.fixedMembers == [
        "change the type to 'Company?' → @Relationship var employer: Company?"
      ])
    expectRepaired(expansion)
  }

  @Test func `a to-many relationship must not be optional`() {
    let expansion = expandMembers("@Relationship var staff: ToMany<Person>?")
    #expect(expansion.messages == ["2:19 to-many relationship 'staff' must not be optional"])
    #expect(
      expansion.fixedMembers == [
        "change the type to 'ToMany<Person>' → @Relationship var staff: ToMany<Person>"
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: ["[Person]", "Set<Person>", "Array<Person>?"])
  func `a collection becomes a to-many relationship`(type: String) {
    let expansion = expandMembers("@Relationship var staff: \(type)")
    #expect(
      expansion.messages == [
        "2:19 to-many relationship 'staff' must have the type 'ToMany<Person>'"
      ])
    #expect(
      expansion.fixedMembers == [
        "change the type to 'ToMany<Person>' → @Relationship var staff: ToMany<Person>"
      ])
    expectRepaired(expansion)
  }

  @Test func `a relationship cannot have a default value`() {
    let expansion = expandMembers("@Relationship var employer: Company? = Company()")
    #expect(expansion.messages == ["2:19 relationship 'employer' cannot have a default value"])
    #expect(
      expansion.fixedMembers == [
        "remove the default value → @Relationship var employer: Company?"
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: ["employer: Company? = nil", "staff: ToMany<Person> = []"])
  func `an empty default value is allowed`(declaration: String) {
    #expect(expandMembers("@Relationship var \(declaration)").messages == [])
  }

  @Test func `an inverse must be written out`() {
    let expansion = expandMembers("@Relationship(inverse: key) var employer: Company?")
    #expect(
      expansion.messages == [
        "2:24 the inverse of 'employer' must be a key path or a string written out"
      ])
  }

  @Test(arguments: [#"inverse: \Company.employees"#, #"inverse: "employees""#])
  func `an inverse is described by its name`(argument: String) {
    let expansion = expandMembers("@Relationship(\(argument)) var employer: Company?")
    #expect(expansion.messages == [])
    #expect(expansion.text.contains(#"destination: Company.self, inverse: "employees","#))
  }
}

extension RelationshipDiagnosticTests {
  @Test func `two relationships that name the same inverse are refused`() {
    let expansion = expandMembers(
      """
      @Relationship(inverse: \\Company.staff) var employer: Company?
      @Relationship(inverse: \\Company.staff) var former: Company?
      @Relationship(inverse: \\Company.guests) var host: Company?
      """)
    #expect(
      expansion.messages == [
        "3:24 'employer' and 'former' both name 'staff' as their inverse; only one may"
      ])
  }

  @Test func `two relationships of one class that name one another by key paths are refused`() {
    let expansion = expandMembers(
      """
      @Relationship(inverse: \\Person.children) var parent: Person?
      @Relationship(inverse: \\Person.parent) var children: ToMany<Person>
      """)
    #expect(
      expansion.messages == [
        "3:24 'parent' and 'children' both name the other as their inverse; only one may"
      ])
    #expect(
      expansion.fixedMembers == [
        """
        replace it with '@Relationship' → \
        @Relationship(inverse: \\Person.children) var parent: Person?
        @Relationship var children: ToMany<Person>
        """
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: [#""children""#, #"\Other.children"#])
  func `strings, and paths of other classes, are no cycle in one class`(inverse: String) {
    let expansion = expandMembers(
      """
      @Relationship(inverse: \(inverse)) var parent: Person?
      @Relationship(inverse: "parent") var children: ToMany<Person>
      """)
    #expect(expansion.messages == [])
  }

  @Test(arguments: [".cascade", "RelationshipDescription.DeleteRule.deny", ".noAction"])
  func `a delete rule is described as it is written`(rule: String) {
    let expansion = expandMembers("@Relationship(deleteRule: \(rule)) var employer: Company?")
    #expect(expansion.messages == [])
    #expect(expansion.text.contains("deleteRule: \(rule))"))
  }

  @Test func `counts are described as they are written`() {
    let expansion = expandMembers(
      "@Relationship(minCount: 1, maxCount: 1) var employer: Company?")
    #expect(expansion.text.contains("deleteRule: .nullify, minCount: 1, maxCount: 1)"))
  }
}
