import CauldronModel
import Foundation

extension RowPointer {
  /// An attribute's value as one line shows it: long texts are cut, and of bytes there is the number.
  /// - Complexity: O(1), however long the value is.
  func shown(_ index: Int, as type: AttributeType) -> String {
    if isNull(index) { return "nil" }
    switch type {
    case .integer16, .integer32, .integer64: return "\(slot(index))"
    case .boolean: return slot(index) == 0 ? "false" : "true"
    case .double: return "\(real(index))"
    case .float: return "\(Float(real(index)))"
    case .date: return Self.shown(seconds: real(index))
    case .string, .uri: return beginning(index).shortened
    case .decimal: return beginning(index)
    case .uuid: return uuid(index)
    case .binary, .transformable, .composite, .undefined:
      let count = bytes(index).count
      return count == 1 ? "1 byte" : "\(count) bytes"
    }
  }

  /// The first characters of a text, of which no more than a line needs.
  private func beginning(_ index: Int) -> String {
    String(decoding: bytes(index).prefix(1_000), as: UTF8.self)
  }

  /// The date; seconds where they are none that a calendar knows.
  private static func shown(seconds: Double) -> String {
    guard seconds.magnitude < 1e11 else { return "\(seconds) s" }
    return "\(Date(timeIntervalSinceReferenceDate: seconds))"
  }

  private func uuid(_ index: Int) -> String {
    let bytes = bytes(index)
    guard bytes.count == 16 else { return "\(bytes.count) bytes" }
    return "\(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))"
  }
}

extension String {
  /// The text in quotes, on one line, and cut where it is long.
  var shortened: String {
    let beginning = prefix(40)
    let isWhole = beginning.endIndex == endIndex
    return String(beginning).debugDescription + (isWhole ? "" : "…")
  }
}

extension AttributeScalar {
  /// The value as one line shows it; long ones are cut.
  package var debugText: String {
    switch self {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): text.shortened
    case .blob(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    }
  }
}
