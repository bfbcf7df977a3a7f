import CauldronModel
import Foundation

/// Encodes records so that dates stay dates, and what JSON has no form for is only missed by who asks for it.
///
/// These are texts with a mark that no other text has, until the JSON was read.
struct RecordEncoder {
  private let mark = "\u{1}\(UUID().uuidString):"
  private let encoder = JSONEncoder()

  init() {
    encoder.dateEncodingStrategy = .custom { [mark] date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode("\(mark)\(date.timeIntervalSinceReferenceDate.bitPattern)")
    }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: mark + "inf", negativeInfinity: mark + "-inf", nan: mark + "nan")
  }

  /// What a record says; where it cannot be encoded, something that no record is.
  func value(_ record: some Encodable) -> JSONValue {
    do {
      let text = String(decoding: try encoder.encode(record), as: UTF8.self)
      guard let value = JSONText.value(text) else {
        return unusable(record, "is nested too deeply")
      }
      return JSONTape(value) { standIn($0) }.root
    } catch {
      return unusable(record, "throws \(type(of: error))")
    }
  }

  private func unusable(_ record: some Encodable, _ why: String) -> JSONValue {
    JSONTape(unusable: "a \(type(of: record)), of which the encoding \(why),").root
  }

  /// What a text stands for; nil where that is itself.
  private func standIn(_ text: String) -> JSONTape.StandIn? {
    guard text.hasPrefix(mark) else { return nil }
    let rest = String(text.dropFirst(mark.count))
    guard let bits = UInt64(rest) else { return .unusable(rest) }
    return .native(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
  }
}
