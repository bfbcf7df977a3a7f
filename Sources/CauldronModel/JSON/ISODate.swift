/// Dates as ISO 8601 writes them, without a formatter: many records have one.
package enum ISODate {
  /// Seconds since 2001 of `2026-11-24`, `2026-11-24T08:00Z` and `2026-11-24 08:00:00.25+02:00`; nil for
  /// what is none, or has a time and no zone.
  package static func seconds(_ text: String) -> Double? {
    var reader = Reader(bytes: Array(text.utf8)[...])
    guard let year = reader.number(4), reader.skip(0x2D), let month = reader.number(2),
      reader.skip(0x2D), let day = reader.number(2), (1...12).contains(month),
      day >= 1, day <= days(in: month, of: year)
    else { return nil }
    let midnight = Double(daysSince2001(year: year, month: month, day: day)) * 86_400
    if reader.bytes.isEmpty { return midnight }
    guard let time = reader.time(), let zone = reader.zone(), reader.bytes.isEmpty else {
      return nil
    }
    return midnight + time - Double(zone)
  }

  /// The date in UTC, with as many digits of a second as bring it back.
  package static func text(_ seconds: Double) -> String {
    guard abs(seconds) < 1e11 else { return "\(seconds)" }
    let texts = [0, 3, 6, 9, 12].lazy.map { text(seconds, digits: $0) }
    return texts.first { Self.seconds($0) == seconds } ?? text(seconds, digits: 15)
  }

  /// Whether a date has a text that is read as a date again: one in a year of four digits.
  static func isWritable(_ seconds: Double) -> Bool { Self.seconds(text(seconds)) != nil }

  private static func text(_ seconds: Double, digits: Int) -> String {
    let unit = (0..<digits).reduce(1.0) { unit, _ in unit * 10 }
    var whole = seconds.rounded(.down)
    var fraction = ((seconds - whole) * unit).rounded()
    if fraction >= unit {
      whole += 1
      fraction = 0
    }
    let days = (whole / 86_400).rounded(.down)
    let rest = Int(whole - days * 86_400)
    let (year, month, day) = date(Int(days))
    let time =
      "\(padded(rest / 3_600, to: 2)):\(padded(rest / 60 % 60, to: 2)):\(padded(rest % 60, to: 2))"
    let part = digits == 0 ? "" : "." + padded(Int(fraction), to: digits)
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))T\(time)\(part)Z"
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Howard Hinnant's `days_from_civil`, whose year begins in March.
  private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 - 11_323
  }

  private static func date(_ days: Int) -> (Int, Int, Int) {
    let days = days + 719_468 + 11_323
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1
    )
  }
}

extension ISODate {
  /// Reads the parts of a date.
  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func skip(_ byte: UInt8) -> Bool {
      guard bytes.first == byte else { return false }
      bytes.removeFirst()
      return true
    }

    mutating func number(_ width: Int) -> Int? {
      let digits = bytes.prefix(width)
      guard digits.count == width, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
      bytes.removeFirst(width)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The seconds since midnight.
    mutating func time() -> Double? {
      guard skip(0x54) || skip(0x74) || skip(0x20), let hour = number(2), skip(0x3A),
        let minute = number(2), hour < 24, minute < 60
      else { return nil }
      let start = Double(hour * 3_600 + minute * 60)
      guard skip(0x3A) else { return start }
      guard let second = number(2), second <= 60 else { return nil }
      guard skip(0x2E) || skip(0x2C) else { return start + Double(second) }
      let digits = bytes.prefix { $0 &- 0x30 < 10 }
      guard !digits.isEmpty, let part = Double("0." + String(decoding: digits, as: UTF8.self))
      else {
        return nil
      }
      bytes.removeFirst(digits.count)
      return start + Double(second) + part
    }

    /// The seconds east of UTC.
    mutating func zone() -> Int? {
      if skip(0x5A) || skip(0x7A) { return 0 }
      let sign = skip(0x2B) ? 1 : skip(0x2D) ? -1 : 0
      guard sign != 0, let hours = number(2), hours < 24 else { return nil }
      if bytes.isEmpty { return sign * hours * 3_600 }
      _ = skip(0x3A)
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3_600 + minutes * 60)
    }
  }
}
