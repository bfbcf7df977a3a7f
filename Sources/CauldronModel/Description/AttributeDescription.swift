/// Describes one attribute of an entity: its name, type, whether it may be nil, and its default.
///
/// ```swift
/// AttributeDescription(name: "age", type: .integer64, isOptional: false, default: .constant(.integer(0)))
/// ```
public struct AttributeDescription: Sendable {
  /// The value that a new object starts with.
  public enum Default: Sendable {
    /// No default: the attribute starts as nil.
    case none
    /// The same value for every object.
    case constant(AttributeScalar)
    /// A value made anew for each object, such as `UUID()`.
    case computed(@Sendable () -> AttributeScalar)
  }

  /// The property's name.
  public var name: String
  /// The type that is stored.
  public var type: AttributeType
  /// Whether nil is allowed at save.
  public var isOptional: Bool
  /// Whether the value is kept in memory only; a transient attribute has no column.
  public var isTransient: Bool
  /// The value that a new object starts with.
  public var defaultValue: Default
  /// Whether Core Data may keep large values in files; part of the version hash.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether history keeps the value after deletion; part of the version hash.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Forces another version hash where the definition alone does not change.
  public var versionHashModifier: String?
  /// What a save asks of the value, in this order; no part of the version hash.
  public var rules: [AttributeRule]
  /// The names that the attribute had before, the oldest last: the store finds it by them when the model
  /// has changed. The oldest is Core Data's renaming identifier; no part of the version hash.
  public var originalNames: [String] = []
  /// What the store computes the value from, as Core Data writes it: `pages.@count` for the number of
  /// objects that the to-many relationship `pages` leads to, the one form that there is. Nil for an
  /// attribute that is set. Part of the version hash, in a way of this library's own.
  public var derivation: String?
  /// Where imports find the value; no part of the version hash.
  public var importing = AttributeImport()
  /// What a model editor has noted of the attribute: imports read MagicalRecord's keys in it. No part of the
  /// version hash.
  public var userInfo: [String: String] = [:]
  /// What stands for values that no store can keep; no part of the version hash.
  package var unstorable: _Unstorable?
  /// Tells what the class cannot decode; nil where it can decode everything.
  package var readability: AttributeReadability?

  /// Describes an attribute; all but name and type have Core Data's defaults.
  public init(
    name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    default defaultValue: Default = .none, allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false, versionHashModifier: String? = nil,
    rules: [AttributeRule] = [], derivation: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.versionHashModifier = versionHashModifier
    self.rules = rules
    self.derivation = derivation
  }
}

extension AttributeDescription {
  /// The relationship whose objects are counted; nil where the derivation is of another form, or there is
  /// none.
  package var countedRelationship: String? {
    guard let derivation, derivation.hasSuffix(Self.countSuffix) else { return nil }
    let name = derivation.dropLast(Self.countSuffix.count)
    return name.isEmpty || name.contains(where: { ".@".contains($0) }) ? nil : String(name)
  }

  /// The expression that counts the objects of a relationship.
  package static func count(of relationship: String) -> String { relationship + countSuffix }

  private static var countSuffix: String { ".@count" }
}

/// Whether what a store keeps of an attribute is a value of the type that its class declares.
///
/// Classes cannot fail at reading: what they cannot decode they show as the default. So only who asks
/// is told.
package struct AttributeReadability: Sendable {
  /// What is wrong with a value, as the end of a sentence.
  package enum Trouble: String, Sendable {
    /// The raw value is that of no case.
    case unknownCase = "is no case of its enumeration"
    /// The bytes are no JSON of the type, or the text is no URL.
    case undecodable = "cannot be decoded"
  }

  /// Nil for a value that the class can show.
  package let trouble: @Sendable (AttributeScalar) -> Trouble?
  /// Why a value cannot be decoded, as the end of a sentence.
  package private(set) var reason: @Sendable (AttributeScalar) -> String? = { _ in nil }
  /// A value that can be decoded, of one in which dates are texts; nil where that is none either.
  package private(set) var readable: @Sendable (AttributeScalar) -> AttributeScalar? = { _ in nil }

  package init(_ trouble: @escaping @Sendable (AttributeScalar) -> Trouble?) {
    self.trouble = trouble
  }

  /// The same, with why a value cannot be decoded, and what it would be with dates as numbers.
  package func explained(
    by reason: @escaping @Sendable (AttributeScalar) -> String?,
    reading readable: @escaping @Sendable (AttributeScalar) -> AttributeScalar?
  ) -> AttributeReadability {
    var copy = self
    copy.reason = reason
    copy.readable = readable
    return copy
  }
}
