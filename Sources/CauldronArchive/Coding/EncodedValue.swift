package import Foundation

/// Codable values as bytes, compared.
///
/// The order in which a set is encoded is accidental: equal values may have different bytes. Neither `==` nor the
/// bytes alone tell equality: a type may compare fewer members than it encodes, and JSON has lists only.
package enum EncodedValue {
  /// Whether bytes are those of a value, but for the order of the elements of sets.
  /// - Parameter encoded: The bytes that the value itself is encoded as.
  /// - Complexity: O(bytes · log bytes) where the bytes are as many; else constant.
  package static func isSame<Value: Decodable>(
    _ bytes: Data, encoded: Data, as value: Value
  ) -> Bool {
    if bytes == encoded { return true }
    guard bytes.count == encoded.count, let value = value as? any Equatable,
      let known = TransformableCoding.decode(Value.self, from: bytes), isEqual(value, to: known),
      outline(of: known) == outline(of: value), let text = sorted(bytes)
    else { return false }
    return text == sorted(encoded)
  }

  /// What a value consists of, as a text: the elements of sets, and of dictionaries, in the order of their texts.
  private static func outline(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty { return "\(value)" }
    let parts = mirror.children.map { "\($0.label ?? ""):\(outline(of: $0.value))" }
    let hasOrder = mirror.displayStyle != .set && mirror.displayStyle != .dictionary
    return "(\((hasOrder ? parts : parts.sorted()).joined(separator: ",")))"
  }

  private static func isEqual<Value: Equatable>(_ value: Value, to other: Any) -> Bool {
    other as? Value == value
  }

  /// JSON as a text, the elements of each list in the order of their texts.
  private static func sorted(_ data: Data) -> String? {
    (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)).map(text)
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let list as [Any]: return "[\(list.map(text).sorted().joined(separator: ","))]"
    case let object as [String: Any]:
      let members = object.map { "\($0.debugDescription):\(text($1))" }
      return "{\(members.sorted().joined(separator: ","))}"
    case let string as String: return string.debugDescription
    default: return "\(value)"
    }
  }
}
