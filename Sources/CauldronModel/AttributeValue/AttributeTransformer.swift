public import Foundation

/// Turns the values of a transformable attribute into bytes and back, as a program's `NSValueTransformer` does.
///
/// ```swift
/// struct ColorTransformer: AttributeTransformer {
///   func data(from color: Color) throws -> Data { Data([color.red, color.green, color.blue]) }
///   func value(from data: Data) throws -> Color { try Color(bytes: data) }
/// }
/// AttributeTransformers.register(ColorTransformer(), named: "ColorTransformer")
/// ```
public protocol AttributeTransformer: Sendable {
  /// What the attribute shows.
  associatedtype Value

  /// The bytes that a store keeps.
  func data(from value: Value) throws -> Data
  /// The value that bytes stand for.
  /// - Parameter data: Bytes from a store, which may be anything.
  func value(from data: Data) throws -> Value
}

/// The transformers of a program, under the names that its models have for them.
public enum AttributeTransformers {
  private static let known = Locked<[String: any AttributeTransformer]>([:])

  /// Has attributes whose `valueTransformerName` is a name use a transformer, from now on and in all stacks.
  ///
  /// Register before a stack is set up; a second one under a name takes the first one's place.
  public static func register(_ transformer: some AttributeTransformer, named name: String) {
    known.withLock { $0[name] = transformer }
  }

  static func transformer(named name: String) -> (any AttributeTransformer)? {
    known.withLock { $0[name] }
  }
}

/// How a transformable attribute turns values into bytes.
package enum AttributeTransformation: Sendable, Hashable {
  /// The model names no transformer: bytes are JSON that a class has written, or a keyed archive.
  case untold
  /// Keyed archives, as `NSSecureUnarchiveFromData` makes them.
  case archive
  /// A program's own transformer.
  case named(String)

  /// The names that Foundation and Xcode have for keyed archives.
  private static let archiving: Set = [
    "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
    "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
    "NSKeyedUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromDataTransformerName",
  ]

  package init(_ name: String?) {
    self = name.map { Self.archiving.contains($0) ? .archive : .named($0) } ?? .untold
  }

  /// The transformer that was registered under the name; nil for other ways.
  package var transformer: (any AttributeTransformer)? {
    if case .named(let name) = self { AttributeTransformers.transformer(named: name) } else { nil }
  }
}

extension AttributeTransformer {
  /// The bytes of a value of any type; nil for one of another type than the transformer's.
  package func bytes(of value: Any) throws -> Data? {
    guard let value = value as? Value else { return nil }
    return try data(from: value)
  }
}
