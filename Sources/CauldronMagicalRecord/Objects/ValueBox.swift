import Cauldron
import Foundation

/// Puts what a store keeps into what Core Data's dictionaries hold.
enum ValueBox {
  /// The type of the attribute that a path leads to; nil where it leads to none.
  static func type(of path: PropertyPath, in entity: EntityLayout?) -> AttributeType? {
    var entity = entity
    var type: AttributeType?
    for step in path.steps {
      guard let layout = entity, let index = layout.index(of: step) else { return nil }
      let property = layout.properties[index]
      (entity, type) = (property.destination?.entity, property.attributeType)
    }
    return type
  }

  /// A value as Foundation has it, numbers as `NSNumber`; nil for none.
  static func value(_ scalar: AttributeScalar, as type: AttributeType?) -> Any? {
    switch scalar {
    case .null: nil
    case .integer(let number):
      type == .boolean ? NSNumber(value: number != 0) : NSNumber(value: number)
    case .real(let number):
      type == .date ? Date(timeIntervalSinceReferenceDate: number) : NSNumber(value: number)
    case .text(let text): value(text, as: type)
    case .blob(let data): type == .uuid ? uuid(data) : data
    }
  }

  private static func value(_ text: String, as type: AttributeType?) -> Any? {
    switch type {
    case .decimal:
      NSDecimalNumber(decimal: Decimal(string: text) ?? DecimalNumber(text)?.decimal ?? .nan)
    case .uri: URL(string: text)
    default: text
    }
  }

  private static func uuid(_ data: Data) -> UUID? {
    guard data.count == 16 else { return nil }
    return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
