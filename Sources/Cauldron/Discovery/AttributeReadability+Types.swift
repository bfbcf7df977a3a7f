import CauldronGraph
import CauldronModel
import Foundation

/// What the types of attributes can decode; see ``_CustomType``.
extension AttributeReadability {
  /// An enumeration: raw values of cases.
  static func ofCases<Value: RawRepresentable & SendableMetatype>(
    _ type: Value.Type
  ) -> AttributeReadability where Value.RawValue: AttributeValue {
    AttributeReadability { scalar in
      guard let raw = Value.RawValue.value(of: scalar) else { return nil }
      return Value(rawValue: raw) == nil ? .unknownCase : nil
    }
  }

  /// A Codable type: its JSON.
  static func ofJSON<Value: Decodable & SendableMetatype>(
    _ type: Value.Type
  ) -> AttributeReadability {
    AttributeReadability { scalar in
      guard case .blob = scalar else { return nil }
      return TransformableCoding.isReadable(scalar, as: type) ? nil : .undecodable
    }
  }

  /// A built-in type whose text may be no value; nil for all others.
  static func ofText(_ type: AttributeType) -> AttributeReadability? {
    guard type == .uri else { return nil }
    return AttributeReadability { scalar in
      guard case .text(let text) = scalar else { return nil }
      return URL(string: text) == nil ? .undecodable : nil
    }
  }
}
