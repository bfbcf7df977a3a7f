import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite("Section transforms")
struct SectionTransformTests {
  private static let letters: [(String, String)] = [
    ("", ""), ("a", "a"), ("Zebra", "z"), ("École", "e"), ("E\u{301}cole", "e"), ("ßtraße", "s"),
    ("\u{301}\u{316}Ab", "a"), ("한국", "\u{1112}"), ("4 a.m.", "4"), ("\n", "\n"), ("ΌΔ", "ο"),
    ("İ", "i"), ("👨‍👩‍👧 x", "👨"), ("\u{301}", ""), ("ﬁne", "f"), ("कि", "क"), ("\r\n", "\r"),
  ]

  @Test("The first letter is the first of the folded text", arguments: letters)
  func firstLetter(text: String, expected: String) {
    #expect(SectionTransform.firstLetter.apply(.text(text)) == .text(expected))
  }

  @Test("The first letter of random texts keeps the order of the folded ones")
  func letterOrder() {
    var random = SeededGenerator(seed: 131)
    let parts = Self.letters.map(\.0) + ["\u{5B0}", "ñ", "Å", "\u{200D}", "\u{1F1E9}", "Ω", "ı"]
    let fold = TextFold(.ignoringCaseAndDiacritics)
    var texts: [(folded: String, first: AttributeScalar)] = []
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...4, using: &random)
      let text = (0..<count).map { _ in random.pick(parts) }.joined()
      let folded = fold(text)
      let first = SectionTransform.firstLetter.apply(.text(text))
      #expect(first == .text(folded.unicodeScalars.first.map { String($0) } ?? ""), "\(text)")
      texts.append((folded, first))
    }
    texts.sort { $0.folded.utf8.lexicographicallyPrecedes($1.folded.utf8) }
    for (a, b) in zip(texts, texts.dropFirst()) {
      #expect(ScalarOrder.order(a.first, b.first) <= 0, "\(a.folded) \(b.folded)")
    }
  }

  private static let zones = [
    "Europe/Berlin", "America/New_York", "GMT", "Asia/Kathmandu", "Australia/Lord_Howe",
  ]

  @Test("Days and months are those of the calendar", arguments: zones)
  func calendar(zone: String) throws {
    var local = Calendar(identifier: .gregorian)
    local.timeZone = try #require(TimeZone(identifier: zone))
    var plain = Calendar(identifier: .gregorian)
    plain.timeZone = .gmt
    var random = SeededGenerator(seed: 132)
    for _ in 0..<4_000 {
      let seconds = Double.random(in: -3_100_000_000...6_200_000_000, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let parts = local.dateComponents([.year, .month, .day], from: date)
      let year = try #require(parts.year)
      let month = try #require(parts.month)
      let day = try #require(plain.date(from: parts)).timeIntervalSinceReferenceDate / 86_400
      #expect(
        SectionTransform.day(timeZone: zone).apply(.real(seconds)) == .integer(Int64(day)),
        "\(date)")
      #expect(
        SectionTransform.month(timeZone: zone).apply(.real(seconds))
          == .integer(Int64(year * 12 + month - 1)), "\(date)")
    }
  }

  @Test(
    "A day has 23 or 25 hours where the clock is changed",
    arguments: [(2024, 3, 31, 23), (2024, 10, 27, 25), (1995, 3, 26, 23), (1999, 10, 31, 25)])
  func shortAndLongDays(year: Int, month: Int, day: Int, hours: Int) throws {
    var berlin = Calendar(identifier: .gregorian)
    berlin.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let parts = DateComponents(year: year, month: month, day: day)
    let start = try #require(berlin.date(from: parts)).timeIntervalSinceReferenceDate
    func number(_ seconds: Double) -> AttributeScalar {
      SectionTransform.day(timeZone: "Europe/Berlin").apply(.real(seconds))
    }
    let end = start + Double(hours) * 3_600
    #expect(number(start - 0.001) != number(start))
    #expect(number(start) == number(end - 0.001))
    #expect(number(end - 0.001) != number(end))
  }

  /// Clocks that were put back over midnight, or that lost or gained a day.
  private static let crooked = [
    "America/St_Johns", "America/Havana", "America/Sao_Paulo", "Pacific/Apia", "Asia/Manila",
    "Pacific/Kwajalein", "Africa/Casablanca", "Europe/Berlin",
  ]

  @Test("No later date has an earlier day or month", arguments: crooked)
  func dateOrder(zone: String) throws {
    let clock = try #require(TimeZone(identifier: zone))
    var dates: [Double] = []
    var date = Date(timeIntervalSinceReferenceDate: -4_900_000_000)
    while let next = clock.nextDaylightSavingTimeTransition(after: date), dates.count < 60_000 {
      let seconds = next.timeIntervalSinceReferenceDate
      dates += stride(from: seconds - 100_000, to: seconds + 100_000, by: 1_733)
      dates += [seconds - 0.5, seconds, seconds + 29, seconds + 61]
      date = next
    }
    #expect(dates.count > 500)
    dates.sort()
    for transform in [SectionTransform.day(timeZone: zone), .month(timeZone: zone)] {
      var last = Int64.min
      for seconds in dates {
        guard case .integer(let number) = transform.apply(.real(seconds)) else {
          Issue.record("no number")
          return
        }
        #expect(number >= last, "\(Date(timeIntervalSinceReferenceDate: seconds))")
        last = number
      }
    }
  }

  @Test("Nil and values of other kinds have no section, and no number is too far")
  func edges() {
    let day = SectionTransform.day(timeZone: "America/New_York")
    let month = SectionTransform.month(timeZone: "No/Such_Zone")
    for transform in [day, month, .firstLetter] {
      #expect(transform.apply(.null) == .null)
      #expect(transform.apply(.blob(Data([1]))) == .null)
    }
    #expect(SectionTransform.firstLetter.apply(.integer(1)) == .null)
    #expect(day.apply(.text("1")) == .null)
    #expect(day.apply(.real(.nan)) == .null)
    #expect(day.apply(.real(-1)) == day.apply(.integer(-1)))
    for transform in [day, month] {
      let values: [AttributeScalar] = [
        .real(-.infinity), .integer(.min), .real(-1e300), .real(-1e11), .real(0), .real(1e11),
        .real(.greatestFiniteMagnitude), .integer(.max), .real(.infinity),
      ]
      let numbers = values.map(transform.apply)
      for (a, b) in zip(numbers, numbers.dropFirst()) { #expect(ScalarOrder.order(a, b) <= 0) }
    }
    #expect(month.apply(.real(-1)) == .integer(2_000 * 12 + 11))
    #expect(SectionTransform.day(timeZone: "GMT").apply(.real(-0.5)) == .integer(-1))
  }
}
