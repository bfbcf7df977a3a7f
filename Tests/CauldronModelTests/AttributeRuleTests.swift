import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite struct AttributeRuleTests {
  /// The failure of the first rule of an attribute with a value; nil where it is kept.
  private func failure(
    _ type: AttributeType, _ value: AttributeScalar, _ rules: AttributeRule...
  ) throws -> RuleFailure? {
    let layout = try layout(AttributeDescription(name: "x", type: type, rules: rules))
    var builder = RowBuilder()
    let row = builder.set(0, value, of: builder.begin(layout, key: 1), layout)
    return layout.digest.rules.lazy.compactMap { $0.failure(in: row) }.first
  }

  private func layout(_ attribute: AttributeDescription) throws -> EntityLayout {
    try ManagedObjectModel(
      entities: [EntityDescription(name: "A", properties: [.attribute(attribute)])]
    ).entity("A")
  }

  @Test(arguments: [(-1, false), (0, true), (5, true), (6, false)])
  func `the bounds of a range belong to it`(value: Int64, isKept: Bool) throws {
    for type in [AttributeType.integer16, .integer32, .integer64] {
      #expect(try (failure(type, .integer(value), .range(0...5)) == nil) == isKept)
    }
    for type in [AttributeType.double, .float] {
      #expect(try (failure(type, .real(Double(value)), .range(0...5)) == nil) == isKept)
    }
    #expect(try (failure(.decimal, .text("\(value)"), .range(0...5)) == nil) == isKept)
    let dates = Date(timeIntervalSinceReferenceDate: 0)...Date(timeIntervalSinceReferenceDate: 5)
    #expect(try (failure(.date, .real(Double(value)), .range(dates)) == nil) == isKept)
  }

  @Test func `a failure names the bound that is broken`() throws {
    #expect(try failure(.integer16, .integer(9), .range(0...5)) == .tooLarge("5"))
    #expect(try failure(.integer16, .integer(-9), .range(0...)) == .tooSmall("0"))
    #expect(try failure(.double, .real(1.5), .range(...1.25)) == .tooLarge("1.25"))
    #expect(try failure(.decimal, .text("0.1"), .range(0.25...)) == .tooSmall("0.25"))
    let now = Date(timeIntervalSinceReferenceDate: 10)
    #expect(try failure(.date, .real(9), .range(now...)) == .tooSoon(10))
    #expect(try failure(.date, .real(11), .range(...now)) == .tooLate(10))
    #expect(try failure(.string, .text("a"), .length(2...)) == .tooShort(2))
    #expect(try failure(.string, .text("abc"), .length(...2)) == .tooLong(2))
    #expect(try failure(.string, .text("ab1"), .matches("[a-z]+")) == .noMatch("[a-z]+"))
    #expect(try failure(.integer64, .integer(3), even) == .other("must be even"))
  }

  private let even = AttributeRule.check("must be even") { (n: Int) in n.isMultiple(of: 2) }

  @Test func `nil keeps every rule`() throws {
    #expect(try failure(.integer16, .null, .range(1...5)) == nil)
    #expect(try failure(.string, .null, .length(1...), .matches("a")) == nil)
    #expect(try failure(.integer64, .null, even) == nil)
  }

  @Test func `of several rules the first that is broken is told, and a length before a pattern`()
    throws
  {
    #expect(
      try failure(.string, .text("123"), .matches("[a-z]*"), .matches("4*")) == .noMatch("[a-z]*"))
    #expect(try failure(.string, .text("12"), .matches("[a-z]*"), .length(3...)) == .tooShort(3))
    #expect(try failure(.string, .text("ab"), .matches("[a-z]*"), .length(3...)) == .tooShort(3))
  }

  @Test(arguments: ["", "a", "é", "e\u{301}", "日本", "👍", "👩‍👩‍👧", "aé日👍", "\u{FFFF}", "𝄞𝄞"])
  func `a length is counted in UTF-16 units`(text: String) throws {
    let length = text.utf16.count
    #expect(try failure(.string, .text(text), .length(length...length)) == nil)
    let longer = length + 1
    #expect(try failure(.string, .text(text), .length(longer...)) == .tooShort(longer))
    if length > 0 {
      #expect(try failure(.string, .text(text), .length(...(length - 1))) == .tooLong(length - 1))
    }
  }

  @Test func `a random text is as long as Foundation says`() throws {
    var generator = SeededGenerator(seed: 7)
    let scalars = ["a", "ß", "é", "日", "👍", "e\u{301}", " ", "\u{10FFFF}"]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
        scalars.randomElement(using: &generator) ?? ""
      }.joined()
      let least = Int.random(in: 0..<12, using: &generator)
      let most = least + Int.random(in: 0..<6, using: &generator)
      let found = try failure(.string, .text(text), .length(least...most))
      #expect((found == nil) == (least...most).contains((text as NSString).length))
    }
  }

  @Test func `a pattern matches the whole text, scalar by scalar`() throws {
    for (pattern, text, isMatch) in [
      ("a", "a", true), ("a", "ab", false), ("a|ab", "ab", true), ("", "", true),
      (".", "e\u{301}", false), ("..", "e\u{301}", true), ("[a-z]+@[a-z.]+", "j@x.org", true),
      ("[a-z]+@[a-z.]+", "j@x.org ", false), (".*", "a\nb", false),
    ] {
      #expect(try (failure(.string, .text(text), .matches(pattern)) == nil) == isMatch)
    }
  }

  @Test func `many threads may match at once`() async throws {
    let matcher = try PatternMatcher("(a|b)+c?")
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            #expect(
              matcher.matches(number.isMultiple(of: 2) ? "ababc" : "abca")
                == number.isMultiple(of: 2))
          }
        }
      }
    }
  }

  @Test func `a Float is compared with the nearest Float of a bound`() throws {
    let shown = Double(Float(0.1))
    #expect(shown > 0.1)
    #expect(try failure(.float, .real(shown), .range(...0.1)) == nil)
    #expect(try failure(.double, .real(shown), .range(...0.1)) == .tooLarge("0.1"))
  }

  @Test func `a decimal is compared as it is written`() throws {
    #expect(try failure(.decimal, .text("0.1"), .range(0.1...)) == nil)
    #expect(try failure(.decimal, .text("0.30"), .range(...0.3)) == nil)
    #expect(try failure(.decimal, .text("0.31"), .range(...0.3)) == .tooLarge("0.3"))
    let hundred = try #require(Decimal(string: "100"))
    #expect(try failure(.decimal, .text("99"), .range(hundred...)) == .tooSmall("100"))
  }

  @Test func `NaN breaks no range, because it is no value`() throws {
    #expect(try failure(.double, .real(.nan), .range(0...1)) == nil)
    #expect(try failure(.decimal, .text("NaN"), .range(0...1)) == nil)
  }

  @Test func `rules are values`() {
    #expect(AttributeRule.range(0...5) == .range(0...5))
    #expect(AttributeRule.range(0...5) != .range(0...6))
    #expect(AttributeRule.range(0...5) != .range(0.0...5.0))
    #expect(Set([AttributeRule.length(1...), .length(1...), .matches("a")]).count == 2)
    let other = AttributeRule.check("must be even") { (n: Int) in n.isMultiple(of: 2) }
    #expect(even == even && even != other)
  }

  @Test func `rules are no part of the version hash`() throws {
    let plain = try layout(AttributeDescription(name: "x", type: .string))
    let ruled = try layout(
      AttributeDescription(name: "x", type: .string, rules: [.length(1...), .matches("a*")]))
    #expect(plain.versionHash == ruled.versionHash)
    #expect(plain.digest.rules.isEmpty && ruled.digest.rules.count == 2)
  }
}

extension AttributeRuleTests {
  @Test func `only a check of durations takes a duration`() {
    let seconds = AttributeRule.check("x") { (_: Duration) in true }
    #expect(finding(.integer64, keeping: Duration._unstorable, seconds) == nil)
    #expect(
      finding(.integer64, keeping: Duration._unstorable, .check("x") { (_: Int) in true })
        == "a check takes Integer 64, but its type is Duration")
  }

  /// What is said of a model with one attribute; nil where it is right.
  private func finding(
    _ type: AttributeType, isTransient: Bool = false, keeping unstorable: _Unstorable? = nil,
    _ rules: AttributeRule...
  ) -> String? {
    var attribute = AttributeDescription(
      name: "x", type: type, isTransient: isTransient, rules: rules)
    attribute.unstorable = unstorable
    do {
      _ = try layout(attribute)
      return nil
    } catch {
      #expect((error as? CauldronError)?.code == .modelInvalid)
      let text = "\(error)"
      #expect(text.hasPrefix("Cannot build the model: A.x: "))
      return String(text.dropFirst("Cannot build the model: A.x: ".count).dropLast())
    }
  }

  @Test func `a rule that does not fit its attribute is refused`() {
    #expect(
      finding(.integer16, .length(1...))
        == "a length needs the type String, but its type is Integer 16")
    #expect(
      finding(.uri, .matches("a")) == "a pattern needs the type String, but its type is URI")
    #expect(
      finding(.string, .range(0...5))
        == "a range needs the type of a number, a date or a duration, but its type is String")
    #expect(
      finding(.boolean, .range(0...1))
        == "a range needs the type of a number, a date or a duration, but its type is Boolean")
    #expect(
      finding(.integer16, .range(0.5...1)) == "its range is of Double, but its type is Integer 16")
    #expect(finding(.date, .range(0...1)) == "its range is of Integer 64, but its type is Date")
    #expect(
      finding(.double, .range("a"..."b")) == "its range is of String, but its type is Double")
    #expect(
      finding(.integer64, .range(.zero...Duration.seconds(1)))
        == "its range is of Duration, but its type is Integer 64")
    #expect(
      finding(.string, .check("x") { (_: Int) in true })
        == "a check takes Integer 64, but its type is String")
    #expect(
      finding(.integer64, .check("x") { (_: Int16) in true })
        == "a check takes Integer 16, but its type is Integer 64")
    #expect(
      finding(.integer64, .check("x") { (_: Duration) in true })
        == "a check takes Duration, but its type is Integer 64")
    #expect(finding(.integer16, .check("x") { (_: Int) in true }) == nil)
    #expect(
      finding(.string, isTransient: true, .length(1...))
        == "a transient attribute has no rules; look at it in validate(_:for:)")
  }

  @Test func `rules that no value can keep are refused`() {
    #expect(finding(.string, .length(...(-1))) == "no text has a length from 0 to -1")
    #expect(finding(.integer16, .range(40_000...)) == "no Integer 16 is in its range")
    for type in [AttributeType.integer32, .double, .float, .decimal] {
      #expect(finding(type, .range(5...), .range(...3)) == "no value keeps all of its rules")
      #expect(finding(type, .range(3...), .range(...3)) == nil)
    }
    #expect(finding(.string, .length(5...), .length(...3)) == "no value keeps all of its rules")
  }

  @Test func `a pattern that is none is told with the reason`() {
    let text = finding(.string, .matches("[a-z"))
    #expect(text?.hasPrefix("\"[a-z\" is no regular expression: ") == true)
    #expect(text?.hasSuffix("expected ']'") == true)
  }

  @Test func `all of a model's rules that cannot be are told at once`() {
    let entity = EntityDescription(
      name: "A",
      properties: [
        .attribute(AttributeDescription(name: "x", type: .integer16, rules: [.length(1...)])),
        .attribute(
          AttributeDescription(name: "y", type: .string, rules: [.range(0...1), .matches("(")])),
      ])
    let error = #expect(throws: CauldronError.self) {
      _ = try ManagedObjectModel(entities: [entity])
    }
    #expect(error?.message.hasPrefix("Cannot build the model: 3 problems: A.x: a length") == true)
    #expect(error?.details.count == 3)
  }
}
