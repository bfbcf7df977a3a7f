import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Decimals as stores keep them, up to the last ones that there are.
@Suite("Decimals by digits and exponents")
struct DecimalNumberTests {
  private static let smallest = "0." + String(repeating: "0", count: 127) + "1"
  private static let tenLarge = "1" + String(repeating: "0", count: 128)

  private static func calculated(
    _ operation: QueryExpression.Arithmetic, _ a: String, _ b: String
  ) -> String? {
    if case .text(let text) = DecimalArithmetic.result(operation, .text(a), .text(b)) {
      text
    } else {
      nil
    }
  }

  private static let texts: [(String, String)] = [
    ("0", "0"), ("-0.00", "0"), ("+5", "5"), (".5", "0.5"), ("5.", "5"), ("1.50e1", "15"),
    ("-1e-3", "-0.001"),
    ("0e999999999999999999999", "0"), ("1.0e-128", smallest),
    ("10e-129", smallest), ("1e+128", tenLarge), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775808", "9223372036854780000"), ("1234567890123456.5", "1234567890123460"),
    ("0.1234567890123445", "0.123456789012344"), ("0.1234567890123455", "0.123456789012346"),
    ("0.12345678901234450000000000000000000000000000000001", "0.123456789012345"),
    ("99999999999999995", "99999999999999995"), ("0.99999999999999995", "1"),
    ("1e" + String(repeating: "0", count: 400) + "2", "100"),
    (String(repeating: "0", count: 400) + "7", "7"),
  ]

  @Test(arguments: texts)
  func `a text gives the number that a column keeps`(_ text: String, _ kept: String) throws {
    let number = try #require(DecimalNumber(text))
    #expect(number.description == kept)
    #expect(number.decimal == Decimal(string: kept))
    #expect(number.decimal.description == kept)
  }

  @Test(
    arguments: [
      "", "-", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1 ", " 1", "0x1", "1e5.0", "NaN", "inf",
      "1e166",
      "1e-129", "1.5e-128", "-1e400", "1e99999999999999999999", "1e-99999999999999999999",
    ])
  func `what is no Decimal gives nothing`(_ text: String) {
    #expect(DecimalNumber(text) == nil)
    #expect(Self.calculated(.add, text, "1") == nil)
  }

  @Test func `each result is the exact one, rounded once`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<3_000 {
      let a = Int128(Int64.random(in: -9_999_999_999...9_999_999_999, using: &random))
      let b = Int128(Int64.random(in: -9_999_999_999...9_999_999_999, using: &random))
      let (x, y) = (
        Int.random(in: -60...60, using: &random), Int.random(in: 0...20, using: &random)
      )
      // a·10^(x+y) and b·10^x.
      let (first, second) = ("\(a)e\(x + y)", "\(b)e\(x)")
      let shifted = (0..<y).reduce(a) { value, _ in value * 10 }
      func spelt(_ value: Int128, _ exponent: Int) -> String? {
        DecimalNumber("\(value)e\(exponent)")?.description
      }
      #expect(Self.calculated(.add, first, second) == spelt(shifted + b, x))
      #expect(Self.calculated(.subtract, second, first) == spelt(b - shifted, x))
      #expect(Self.calculated(.multiply, first, second) == spelt(a * b, x + y + x))
      guard b != 0 else { continue }
      let (quotient, rest) = (a * 1_000_000_000_000_000_000_000_000)
        .quotientAndRemainder(dividingBy: b)
      // What is left makes one more digit, so that no half is taken for exact.
      let more = rest == 0 ? quotient * 10 : quotient * 10 + (a.signum() * b.signum())
      #expect(Self.calculated(.divide, first, second) == spelt(more, y - 25))
    }
  }

  @Test(
    arguments: [
      (QueryExpression.Arithmetic.multiply, "1e-70", "1e-70", nil),
      (.multiply, "1e100", "1e100", nil),
      (.multiply, "1e-64", "1e-64", smallest), (.multiply, "1e127", "10", tenLarge),
      (.divide, "1e-128", "10", nil), (.divide, "1e100", "1e-100", nil), (.divide, "5", "0", nil),
      (.multiply, "123456789012345e-128", "0.001", nil), (.subtract, "1e-100", "1", "-1"),
      (.add, "3e165", "3e165", nil),
      (.add, "9e127", "1e-128", "9" + String(repeating: "0", count: 127)),
      (.subtract, "1e-128", "1e-128", "0"), (.multiply, "0", "1e127", "0"),
      (.subtract, "0", "-9223372036854775808", "9223372036854780000"),
      (.subtract, "-1", "-9223372036854775808", "9223372036854775807"),
      (.remainder, "5", "2", nil),
    ] as [(QueryExpression.Arithmetic, String, String, String?)])
  func `beyond the last Decimal there is nothing`(
    _ operation: QueryExpression.Arithmetic, _ a: String, _ b: String, _ result: String?
  ) {
    #expect(Self.calculated(operation, a, b) == result)
  }

  @Test(
    arguments: [
      ("2.5", "2"), ("-2.5", "-3"), ("-0.5", "-1"), ("0.99", "0"), ("7", "7"), ("-7", "-7"),
      ("-999999999999999e-2", "-10000000000000"), ("123456789012345e-15", "0"), ("1e-128", "0"),
      ("-1e-128", "-1"), ("-123456789012345e-128", "-1"), ("-3e-39", "-1"), ("3e-38", "0"),
      ("9223372036854775807", "9223372036854775807"), ("-1.5e20", "-150000000000000000000"),
    ])
  func `the whole number below a number is kept as it is`(_ text: String, _ floor: String) {
    #expect(DecimalNumber(text)?.floor?.description == floor)
  }

  @Test func `numbers are ordered by what they are worth, in bytes, too`() throws {
    let texts = [
      "-3.4e165", "-1e128", "-1e127", "-9223372036854775808", "-1.5", "-1.25", "-1e-127", "-1e-128",
      "0",
      "1e-128", "1.1e-127", "2e-127", "0.3", "0.30000001", "1", "10", "10.5", "1e127", "1e128",
      "3.4e165",
    ]
    let numbers = try texts.map { try #require(DecimalNumber($0)) }
    func bytes(_ text: String) -> [UInt8] {
      var bytes = SortBytes()
      bytes.append(.text(text), ascending: true, isDecimal: true)
      return bytes.bytes
    }
    for (i, a) in numbers.enumerated() {
      for (j, b) in numbers.enumerated() {
        #expect((a < b) == (i < j) && (a == b) == (i == j))
        #expect(bytes(texts[i]).lexicographicallyPrecedes(bytes(texts[j])) == (i < j))
        let order = ScalarOrder.order(.text(texts[i]), .text(texts[j]), isDecimal: true)
        #expect(order == (i < j ? -1 : i == j ? 0 : 1))
      }
    }
  }

  @Test func `sums are exact in any order, and averages know larger ones`() throws {
    func gathered(_ aggregate: QueryExpression.Aggregate, _ texts: [String]) throws
      -> AttributeScalar
    {
      var gatherer = ScalarGatherer(aggregate, isDecimal: true)
      for text in texts { gatherer.add(.text(text)) }
      return try gatherer.result()
    }
    let texts = ["1e127", "1e-128", "-1e127", "2.5", "-3.4e165", "3.4e165", "-1e-128"]
    for shift in texts.indices {
      let turned = Array(texts[shift...] + texts[..<shift])
      #expect(try gathered(.sum, turned) == .text("2.5"))
      #expect(try gathered(.average, turned) == .real(2.5 / 7))
    }
    #expect(try gathered(.sum, ["-3.4e165", "-3.4e165"]) == .null)
    #expect(try gathered(.average, ["-3.4e165", "-3.4e165"]) == .real(-3.4e165))
    #expect(try gathered(.sum, ["-0.1", "-0.2"]) == .text("-0.3"))
    #expect(try gathered(.sum, []) == .text("0"))
    #expect(try gathered(.average, []) == .null)
  }

  @Test func `a cell's own spelling of the largest power is read`() {
    #expect(Decimal.value(of: .text("1e+128")) == Decimal(string: Self.tenLarge))
    #expect(Decimal.value(of: .real(1e200)) == nil)
  }
}
