import Testing

struct RuleDiagnosticTests {
  @Test func `rules are described as they are written`() {
    let expansion = expandMembers(
      #"""
      @Attribute(.length(1...40), .matches("[a-z]+"), versionHashModifier: "2") var name: String
      @Attribute(.range(0...5)) var priority: Int16 = 0
      @Attribute(.check("must be even") { (n: Int) in n % 2 == 0 }) var mood: Mood?
      """#)
    #expect(expansion.messages == [])
    #expect(
      expansion.text.contains(
        #"String.self, rules: [.length(1 ... 40), .matches("[a-z]+")], versionHashModifier: "2")"#))
    #expect(
      expansion.text.contains(
        "Int16.self, default: .constant((0 as Int16).scalar), rules: [.range(0 ... 5)])"))
    #expect(expansion.text.contains("_CustomType(optional: Mood.self), rules: [.check("))
  }

  @Test func `a unique attribute may have rules, too`() {
    let expansion = expandMembers(
      "@Attribute(.unique, .length(1...), versionHashModifier: \"2\") var name: String")
    #expect(expansion.messages == [])
    #expect(expansion.text.contains("String.self, rules: [.length(1"))
    #expect(expansion.text.contains("uniquenessConstraints: [[\"name\"]]"))
    let refused = expandMembers("@Attribute(.unique, .matches(\"a\")) var age: Int")
    #expect(refused.fixedMembers == ["remove the rule → @Attribute(.unique) var age: Int"])
  }

  @Test func `a length of a number becomes a range`() {
    let expansion = expandMembers("@Attribute(.length(1...40)) var age: Int?")
    #expect(expansion.messages == ["2:13 '.length' needs a 'String'; 'age' has the type 'Int?'"])
    #expect(
      expansion.fixedMembers == [
        "replace '.length' with '.range' → @Attribute(.range(1...40)) var age: Int?",
        "remove the rule → @Attribute var age: Int?",
      ])
    expectRepaired(expansion)
  }

  @Test(arguments: ["Date", "Data", "UUID", "Bool", "URL"])
  func `a length of anything else goes`(type: String) {
    let expansion = expandMembers(
      "@Attribute(.length(1...), versionHashModifier: \"2\") var x: \(type)")
    #expect(expansion.messages == ["2:13 '.length' needs a 'String'; 'x' has the type '\(type)'"])
    #expect(
      expansion.fixedMembers == [
        "remove the rule → @Attribute(versionHashModifier: \"2\") var x: \(type)"
      ])
    expectRepaired(expansion)
  }

  @Test func `a pattern needs a text`() {
    let expansion = expandMembers(#"@Attribute(.range(0...), .matches("a+")) var age: Int"#)
    #expect(expansion.messages == ["2:27 '.matches' needs a 'String'; 'age' has the type 'Int'"])
    #expect(expansion.fixedMembers == ["remove the rule → @Attribute(.range(0...)) var age: Int"])
    expectRepaired(expansion)
  }

  @Test func `a range of a text becomes a length`() {
    let expansion = expandMembers("@Attribute(.range(...5)) var name: String")
    #expect(
      expansion.messages == [
        "2:13 '.range' needs a number, a date or a duration; 'name' has the type 'String'"
      ])
    #expect(
      expansion.fixedMembers == [
        "replace '.range' with '.length' → @Attribute(.length(...5)) var name: String",
        "remove the rule → @Attribute var name: String",
      ])
    expectRepaired(expansion)
  }

  @Test func `a range of a truth value goes`() {
    let expansion = expandMembers("@Attribute(.range(0...1)) var isOpen: Bool")
    #expect(
      expansion.messages == [
        "2:13 '.range' needs a number, a date or a duration; 'isOpen' has the type 'Bool'"
      ])
    #expect(expansion.fixedMembers == ["remove the rule → @Attribute var isOpen: Bool"])
  }

  @Test(arguments: [
    ("Date?", "0...5"), ("Duration", "0...5"), ("Int16", "0.5..."), ("Int", "-1...1.5"),
    ("Int", "\"a\"...\"b\""), ("Double", "false...true"),
  ])
  func `the bounds have the attribute's type`(type: String, range: String) {
    let expansion = expandMembers("@Attribute(.range(\(range))) var x: \(type)")
    let wanted = type.filter { $0 != "?" }
    #expect(
      expansion.messages == [
        "2:19 the bounds of the range of 'x' must have the type '\(wanted)'"
      ])
    #expect(expansion.fixedMembers == ["remove the rule → @Attribute var x: \(type)"])
  }

  @Test(arguments: [
    ("Double", "0...5"), ("Float", "-0.5...0.5"), ("Decimal", "1..."), ("Date", "start...end"),
    ("Duration", ".zero ... .seconds(5)"), ("Int", "least...1_000"),
  ])
  func `a range that fits is accepted`(type: String, range: String) {
    #expect(expandMembers("@Attribute(.range(\(range))) var x: \(type)").messages == [])
  }

  @Test(arguments: [
    ("length", "String", "5...1", "1...5"), ("range", "Int", "3...2", "2...3"),
    ("range", "Double", "1.5...1", "1...1.5"), ("range", "Int", "1_000...999", "999...1_000"),
  ])
  func `an empty range is turned round`(rule: String, type: String, range: String, fixed: String) {
    let expansion = expandMembers("@Attribute(.\(rule)(\(range))) var x: \(type)")
    #expect(
      expansion.messages.map { String($0.drop { $0 != "'" }) } == [
        "'x' can have no value: '\(range)' is empty"
      ])
    #expect(
      expansion.fixedMembers == [
        "replace it with '\(fixed)' → @Attribute(.\(rule)(\(fixed))) var x: \(type)"
      ])
    expectRepaired(expansion)
  }

  @Test func `a pattern that is none is told of where it stands`() {
    let expansion = expandMembers(#"@Attribute(.matches("[a-z")) var name: String"#)
    #expect(expansion.messages.count == 1)
    #expect(
      expansion.messages.first?.hasPrefix(
        "2:21 the pattern of 'name' is no regular expression: ") == true)
    #expect(expansion.messages.first?.hasSuffix("expected ']'") == true)
  }

  @Test(arguments: [##"#"\d+"#"##, #""\\d+""#, "pattern", #""\(letters)+""#])
  func `other patterns are accepted`(pattern: String) {
    #expect(expandMembers("@Attribute(.matches(\(pattern))) var name: String").messages == [])
  }

  @Test(arguments: ["Rules.range(5...1)", "Rules.length(1...)", "rules.all.matches(\"[a\")"])
  func `what a program calls like a rule is none of ours`(rule: String) {
    #expect(expandMembers("@Attribute(\(rule)) var age: Int").messages == [])
  }

  @Test(arguments: ["AttributeRule", "CauldronModel.AttributeRule"])
  func `a rule with its type's name is read like one without`(base: String) {
    let expansion = expandMembers("@Attribute(\(base).range(5...1)) var age: Int")
    #expect(expansion.messages.count == 1)
    #expect(
      expansion.messages.first?.hasSuffix("'age' can have no value: '5...1' is empty") == true)
  }

  @Test func `a refused rule brings no errors of the compiler`() {
    let expansion = expandMembers("@Attribute(.range(5...1)) var age: Int")
    #expect(expansion.text.contains("get {\n    Swift.preconditionFailure()"))
    #expect(!expansion.text.contains("_attribute("))
  }

  @Test func `a required relationship is described so`() {
    let expansion = expandMembers("@Relationship(.required, minCount: 1) var employer: Company?")
    #expect(expansion.messages == [])
    #expect(
      expansion.text.contains(
        "isToMany: false, presence: .required, deleteRule: .nullify, minCount: 1)"))
  }
}
