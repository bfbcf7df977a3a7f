import CauldronModel
import CauldronQuery
import FormatKit
import Foundation
import Testing

@Suite("Arguments of format strings")
struct FormatArgumentTests {
  private enum Mood: Int {
    case good = 3
  }

  private static var good: [(String, [Any?], String)] {
    [
      ("age == %@", [18], "(= age 18)"), ("age == %@", [nil], "(nil? age)"),
      ("age != %@", [Int?.none], "(not (nil? age))"), ("age == %@", [Int?.some(3)], "(= age 3)"),
      ("age == %@", [UInt8(3)], "(= age 3)"), ("age == %@", [1.5], "(= age 1.5r)"),
      ("age == %@", [Float(1.5)], "(= age 1.5r)"), ("age == %@", [true], "(= age 1)"),
      ("age == %@", [Double.nan], "(nil? age)"), ("age == %@", [Mood.good], "(= age 3)"),
      ("name == %@", ["a"], "(= name 'a')"), ("name == %@", ["abc".dropFirst()], "(= name 'bc')"),
      ("name == %s", ["a"], "(= name 'a')"),
      ("name == %@", [Decimal(string: "1.50")], "(= name '1.5')"),
      ("date > %@", [Date(timeIntervalSinceReferenceDate: 5)], "(> date 5.0r)"),
      ("data == %@", [Data([1, 2])], "(= data <1 2>)"),
      ("page == %@", [URL(string: "https://a.b")], "(= page 'https://a.b')"),
      ("age == %d", [5], "(= age 5)"), ("age == %ld", [Int64(5)], "(= age 5)"),
      ("age == %lld AND b == %i", [5, 6], "(and (= age 5) (= b 6))"),
      ("age == %u", [5], "(= age 5)"),
      ("age == %f", [5], "(= age 5.0r)"), ("age == %lf", [5.5], "(= age 5.5r)"),
      ("%K == 1", ["age"], "(= age 1)"), ("%K == 1", ["a.b"], "(= a.b 1)"),
      ("%K == 1", ["and"], "(= and 1)"), ("%K.b == 1", ["a"], "(= a.b 1)"),
      ("a.%K.c == 1", ["b"], "(= a.b.c 1)"), ("%K > 1", ["skills.@count"], "(> (count skills) 1)"),
      ("%K > 1", ["skills.@sum.level"], "(> (sum skills level) 1)"),
      ("%K == 1", [PropertyPath("a.b")], "(= a.b 1)"), ("%K == nil", ["SELF"], "(nil? .)"),
      ("%@ == 1", [PropertyPath("a.b")], "(= a.b 1)"),
      ("%@ == 1", [QueryExpression.function(.length, .property("a"))], "(= (length a) 1)"),
      ("ANY %K.%K > %@", ["skills", "level", 3], "(any . (> skills.level 3))"),
      (
        "SUBQUERY(%K, $x, $x.%K > %@).@count > 0", ["skills", "level", 3],
        "(any skills (> level 3))"
      ),
      ("age IN %@", [[1, 2]], "(in age 1 2)"), ("age IN %@", [[Int]()], "(in age)"),
      ("age IN %@", [[1, nil] as [Int?]], "(in age 1 nil)"),
      ("age IN %@", [Set([3])], "(in age 3)"), ("age IN {%@, %@}", [1, 2], "(in age 1 2)"),
      ("mood IN %@", [[Mood.good]], "(in mood 3)"),
      ("age BETWEEN %@", [[1, 2]], "(and (>= age 1) (<= age 2))"),
      ("age BETWEEN %@", [1...2], "(and (>= age 1) (<= age 2))"),
      ("age IN %@", [0.5...2], "(and (>= age 0.5r) (<= age 2.0r))"),
      ("name == '%@'", [], "(= name '%@')"),
      ("SELF == %@", [id(3)], "(self #2/3)"), ("SELF != %@", [id(3)], "(not (self #2/3))"),
      ("%@ == SELF", [id(3)], "(self #2/3)"), ("objectID == %@", [id(3)], "(self #2/3)"),
      ("boss == %@", [id(3)], "(to boss #2/3)"), ("boss != %@", [id(3)], "(not (to boss #2/3))"),
      ("boss.objectID == %@", [id(3)], "(to boss #2/3)"),
      ("a.boss IN %@", [[id(3), id(4)]], "(to a.boss #2/3 #2/4)"),
      ("boss IN %@", [[id(3), nil]], "(or (to boss #2/3) (nil? boss))"),
      ("SELF IN {%@, %@}", [id(3), id(4)], "(self #2/3 #2/4)"),
      ("ANY staff == %@", [id(3)], "(any . (to staff #2/3))"),
      ("staff CONTAINS %@", [id(3)], "(to staff #2/3)"),
      ("%@ IN staff", [id(3)], "(to staff #2/3)"),
      ("%@ == %@", [id(3), id(3)], "true"), ("%@ == nil", [id(3)], "false"),
    ]
  }

  private static func id(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: 2, storeNumber: 1)
  }

  @Test("Arguments are values, lists, ranges, keys and objects")
  func good() {
    for (format, arguments, tree) in Self.good {
      do {
        let node = try PredicateNode(format: format, arguments: arguments)
        #expect(TreeText.text(node) == tree, "\(format)")
        #expect(FormatCheck.finding(node) == nil, "\(format)")
      } catch {
        Issue.record("\(format): \(error)")
      }
    }
  }

  private static var bad: [(String, [Any?], String)] {
    [
      ("age == %@", [], "argument 1 is missing for %@, at character 8."),
      ("a == %@ AND b == %d", [1], "argument 2 is missing for %d, at character 18."),
      ("age == 1", [1], "1 argument is given, and none used, at character 9."),
      ("age == %@", [1, 2, 3], "3 arguments are given, and 1 used, at character 10."),
      (
        "age == %@", [Locked(1)],
        "argument 1 is of type Locked<Int>, no value that a condition can be about, at character 8."
      ),
      (
        "age == %@", [UInt64.max],
        "argument 1 is of type UInt64, no value that a condition can be about, at character 8."
      ),
      (
        "age IN %@", [["a": 1]],
        "argument 1 is of type Dictionary<String, Int>, no value that a condition can be about,"
          + " at character 8."
      ),
      (
        "age == %d", ["a"],
        "argument 1 is of type String, no integer, which %d takes, at character 8."
      ),
      (
        "age == %d", [1.5],
        "argument 1 is of type Double, no integer, which %d takes, at character 8."
      ),
      ("age == %d", [nil], "argument 1 is nil, no integer, which %d takes, at character 8."),
      (
        "age == %f", ["a"],
        "argument 1 is of type String, no number, which %f takes, at character 8."
      ),
      ("age == %s", [1], "argument 1 is of type Int, no text, which %s takes, at character 8."),
      ("%K == 1", [1], "argument 1 is of type Int, no key, which %K takes, at character 1."),
      ("%K == 1", ["a..b"], "argument 1 is \"a..b\", no key, which %K takes, at character 1."),
      ("%K == 1", [""], "argument 1 is \"\", no key, which %K takes, at character 1."),
      ("age BETWEEN %@", [[1]], "expected a list of two values, such as {1, 5}, at character 13."),
      ("age BETWEEN %@", [5], "expected a list of two values, such as {1, 5}, at character 13."),
      ("age == %@", [[1, 2]], "a list stands where one value is expected, at character 8."),
      ("boss > %@", [id(3)], "objects have no order, at character 6."),
      (
        "boss BEGINSWITH %@", [id(3)],
        "an object is compared with objects alone, at character 17."
      ),
      (
        "age + 1 == %@", [id(3)],
        "an object is compared with the path of a relationship, or with SELF, at character 1."
      ),
      ("%@.name == 'x'", [id(3)], "a property of an object that is given, at character 4."),
      (
        "SUBQUERY(a, $x, %K > 1).@count > 0", ["b"],
        "a key is of no object that the SUBQUERY goes through, at character 17."
      ),
    ]
  }

  @Test("Wrong, missing and left-over arguments are told")
  func bad() {
    for (format, arguments, text) in Self.bad {
      let error = #expect(throws: CauldronError.self, "\(format)") {
        try PredicateNode(format: format, arguments: arguments)
      }
      #expect(error?.message == "Cannot read the condition \"\(format)\": \(text)")
    }
  }

  @Test("Variables have values, which are no text of the condition")
  func variables() throws {
    let values: [String: Any?] = ["least": 18, "name": "x' OR TRUEPREDICATE", "none": nil]
    let node = try PredicateNode(
      format: "age >= $least AND name == $name AND b == $none", arguments: [], variables: values)
    #expect(
      TreeText.text(node) == "(and (>= age 18) (= name 'x' OR TRUEPREDICATE') (nil? b))")
    let error = #expect(throws: CauldronError.self) {
      try PredicateNode(format: "age >= $lesat", arguments: [], variables: values)
    }
    #expect(
      error?.description
        == "Cannot read the condition \"age >= $lesat\": the variable $lesat has no"
        + " value, at character 8. Did you mean \"least\"?")
    #expect(error?.code == .queryTypeMismatch)
  }

  @Test("An expression is read, too, and now is a moment")
  func expressions() throws {
    let sum = try QueryExpression(format: "price * (1 + %@)", 0.5)
    #expect(TreeText.text(sum) == "(* price (+ 1 0.5r))")
    let error = #expect(throws: CauldronError.self) { try QueryExpression(format: "a == 1") }
    #expect(
      error?.description
        == "Cannot read the expression \"a == 1\": a condition stands where a value is"
        + " expected, at character 1.")
    let before = Date.now.timeIntervalSinceReferenceDate
    guard case .value(.real(let now)) = try QueryExpression(format: "now()") else {
      Issue.record("no number")
      return
    }
    #expect(now >= before && now <= Date.now.timeIntervalSinceReferenceDate)
  }
}
