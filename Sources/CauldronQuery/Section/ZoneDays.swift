import CauldronModel
import Foundation

/// The days of a time zone by arithmetic: its changes of the clock are looked up once.
///
/// Where a clock is put back over midnight, some minutes of a day come twice; the second time they
/// count as the next day, so that a later date never has an earlier day. Changes are known from 1840
/// to 2200; before and after, the clock stays as it is.
struct ZoneDays: Sendable {
  /// The time between two changes of the clock.
  private struct Span {
    let start: Int64
    let offset: Int64
    /// The day before which no later one is.
    let leastDay: Int64
  }

  private let spans: [Span]
  private static let known = Locked<[String: ZoneDays]>([:])

  /// The days of the time zone with an identifier; those of GMT where there is none, which queries
  /// refuse.
  static func of(_ identifier: String) -> ZoneDays { days(identifier) ?? ZoneDays(.gmt) }

  /// Whether there is a time zone with an identifier.
  /// - Complexity: O(1) for one that was asked for before.
  static func isKnown(_ identifier: String) -> Bool { days(identifier) != nil }

  private static func days(_ identifier: String) -> ZoneDays? {
    if let days = known.withLock({ $0[identifier] }) { return days }
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    let days = ZoneDays(zone)
    known.withLock { $0[identifier] = days }
    return days
  }

  private init(_ zone: TimeZone) {
    let year: TimeInterval = 365.2425 * 86_400
    var date = Date(timeIntervalSinceReferenceDate: -161 * year)
    let end = Date(timeIntervalSinceReferenceDate: 200 * year)
    var spans = [Span(start: .min, offset: Int64(zone.secondsFromGMT(for: date)), leastDay: .min)]
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
      let start = Int64(next.timeIntervalSinceReferenceDate.rounded(.down))
      let last = spans[spans.count - 1]
      spans.append(
        Span(
          start: start, offset: Int64(zone.secondsFromGMT(for: next)),
          leastDay: max(last.leastDay, Self.day(start - 1, last.offset))))
      date = next
    }
    self.spans = spans
  }

  /// The days from 2001-01-01 to the one of a time in seconds since 2001 by GMT.
  func day(of seconds: Int64) -> Int64 {
    // The last span that has begun.
    var low = 0
    var high = spans.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if spans[middle].start <= seconds { low = middle } else { high = middle }
    }
    return max(spans[low].leastDay, Self.day(seconds, spans[low].offset))
  }

  private static func day(_ seconds: Int64, _ offset: Int64) -> Int64 {
    floor(seconds + offset, by: 86_400)
  }

  /// Twelve times the year of a day, and 0 for January, in the Gregorian calendar.
  static func month(of day: Int64) -> Int64 {
    // Years begin in March here, so that the day that is not always there is the last one; 400 of
    // them have 146,097 days. 2001-01-01 is 730,791 days after 0000-03-01.
    let shifted = day + 730_791
    let era = floor(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let year =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (era * 400 + year) * 12 + month + 2
  }

  private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
    (value - (value % divisor + divisor) % divisor) / divisor
  }
}
