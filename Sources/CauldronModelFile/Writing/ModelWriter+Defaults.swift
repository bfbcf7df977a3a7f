import CauldronModel
import Foundation

extension ModelWriter {
  /// The place of an attribute's default; that of nil where it has none that Core Data could use.
  mutating func defaultValue(of attribute: AttributeDescription) -> Int {
    guard case .constant(let scalar) = attribute.defaultValue else {
      return KeyedArchiveWriter.null
    }
    switch (attribute.type, scalar) {
    case (.boolean, .integer(let value)): return archive.append(.boolean(value != 0))
    case (.integer16, .integer(let value)), (.integer32, .integer(let value)),
      (.integer64, .integer(let value)):
      return archive.append(.integer(Int(value)))
    case (.double, .real(let value)), (.float, .real(let value)):
      return archive.append(.real(value))
    case (.date, .real(let value)):
      return archive.object(["NSDate"], ["NS.time": .real(value)])
    case (.string, .text(let value)): return archive.text(value)
    case (.uri, .text(let value)):
      return archive.object(
        ["NSURL"], ["NS.base": .null, "NS.relative": .reference(archive.text(value))])
    case (.decimal, .text(let value)): return decimal(value)
    case (.binary, .blob(let value)): return archive.append(.data(Array(value)))
    case (.uuid, .blob(let value)):
      return archive.object(["NSUUID"], ["NS.uuidbytes": .data(Array(value))])
    // A transformable default is JSON, which no transformer of Core Data's would take.
    default: return KeyedArchiveWriter.null
    }
  }

  private mutating func decimal(_ text: String) -> Int {
    guard let decimal = ArchivedDecimal(text) else { return KeyedArchiveWriter.null }
    return archive.object(
      ["NSDecimalNumber", "NSNumber", "NSValue"],
      [
        "NS.mantissa": .data(decimal.mantissa), "NS.mantissa.bo": .integer(1),
        "NS.length": .integer(decimal.words.count), "NS.exponent": .integer(decimal.exponent),
        "NS.negative": .boolean(decimal.isNegative), "NS.compact": .boolean(false),
      ])
  }
}

extension AttributeType {
  /// The class of an attribute's values in Core Data; nil where a transformer makes them.
  var archivedClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .transformable: nil
    }
  }
}
