import Testing

struct DerivedDiagnosticTests {
  private static let pages = "\n@Relationship var pages: ToMany<Page>"

  @Test func `a derived attribute has a getter alone, and its expression in the description`() {
    let expansion = Expansion(
      """
      @Entity final class Book: ManagedObject {
        @Relationship var pages: ToMany<Page>
        @Attribute(derived: "pages.@count", originalName: "size") var pagesCount: Int
      }
      """)
    #expect(expansion.messages == [])
    #expect(expansion.text.contains("get {\n      _get(_Properties.pagesCount, _Access.self)"))
    #expect(!expansion.text.contains("_set(_Properties.pagesCount"))
    #expect(
      expansion.text.contains(
        "._attribute(\"pagesCount\", Int.self, derived: \"pages.@count\")._original(\"size\")"))
  }

  @Test func `it has no default value`() {
    let expansion = expandMembers(
      "@Attribute(derived: \"pages.@count\") var count: Int = 0\(Self.pages)")
    #expect(
      expansion.messages == ["2:41 derived attribute 'count' cannot have a default value"])
    #expect(
      expansion.fixedMembers == [
        "remove the default value → @Attribute(derived: \"pages.@count\") var count: Int\(Self.pages)"
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: ["String", "Double", "Mood?", "[Int]"])
  func `it is an integer`(_ type: String) {
    let expansion = expandMembers(
      "@Attribute(derived: \"pages.@count\") var count: \(type)\(Self.pages)")
    #expect(
      expansion.messages == [
        "2:41 derived attribute 'count' needs an integer type; '\(type)' is none"
      ])
    #expect(
      expansion.fixedMembers == [
        "change the type to 'Int' → @Attribute(derived: \"pages.@count\") var count: Int\(Self.pages)"
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: [
    "@count", "canonical:(a.b)", "", "a.b.c", "a.@max.b", "lowercase:(uppercase:(a))", "same:(a)",
  ])
  func `another expression is refused where it is written`(_ expression: String) {
    let expansion = expandMembers("@Attribute(derived: \"\(expression)\") var count: Int")
    #expect(
      expansion.messages == [
        "2:21 'count' cannot be derived from '\(expression)'; write 'items.@count',"
          + " 'items.@sum.price', 'owner.name', 'name', 'canonical:(name)' or 'now()'"
      ])
  }

  @Test(arguments: ["name.count", "owner.@count", "pages.title", "none.title"])
  func `it begins with a relationship of the class, of the right kind`(_ expression: String) {
    let members =
      "@Attribute(derived: \"\(expression)\") var count: Int\n@Relationship var owner: Person?\n"
      + "var name: String" + Self.pages
    #expect(expandMembers(members).messages.count == 1)
    let inherited = Expansion("@Entity final class Child: Person {\n\(members)\n}")
    #expect(inherited.messages.count == (expression == "none.title" ? 0 : 1))
  }
}
