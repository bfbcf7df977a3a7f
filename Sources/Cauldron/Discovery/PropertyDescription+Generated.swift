import CauldronArchive
public import CauldronGraph
public import CauldronModel
import Foundation

/// What `@Entity` calls to describe properties.
extension PropertyDescription {
  /// Describes an attribute of a type that a column holds without conversion.
  /// - Note: It serves generated code; describe attributes with ``AttributeDescription``.
  public static func _attribute<Value: AttributeValue>(
    _ name: String, _ valueType: Value.Type,
    default defaultValue: AttributeDescription.Default = .none, rules: [AttributeRule] = [],
    type: AttributeType? = nil, isOptional: Bool? = nil,
    allowsExternalBinaryDataStorage: Bool = false, versionHashModifier: String? = nil
  ) -> PropertyDescription {
    .attribute(
      AttributeDescription(
        name: name, type: type ?? Value.attributeType, isOptional: isOptional ?? Value._isOptional,
        default: defaultValue, allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
        versionHashModifier: versionHashModifier, rules: rules
      ).keeping(Value._unstorable, readability: .ofText(Value.attributeType)))
  }

  /// Describes an attribute that the store computes.
  /// - Note: It serves generated code; describe attributes with ``AttributeDescription``.
  public static func _attribute<Value: AttributeValue>(
    _ name: String, _ valueType: Value.Type, derived: String, type: AttributeType? = nil,
    versionHashModifier: String? = nil
  ) -> PropertyDescription {
    .attribute(
      AttributeDescription(
        name: name, type: type ?? Value.attributeType, versionHashModifier: versionHashModifier,
        derivation: derived))
  }

  /// Describes an attribute of any other type; without a default it starts as nil.
  /// - Note: It serves generated code; describe attributes with ``AttributeDescription``.
  public static func _customAttribute<Value>(
    _ name: String, _ valueType: _CustomType<Value>, rules: [AttributeRule] = [],
    type: AttributeType? = nil, isOptional: Bool? = nil,
    allowsExternalBinaryDataStorage: Bool = false, versionHashModifier: String? = nil
  ) -> PropertyDescription {
    .attribute(
      AttributeDescription(
        name: name, type: type ?? valueType.type, isOptional: isOptional ?? valueType.isOptional,
        allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
        versionHashModifier: versionHashModifier, rules: rules
      ).keeping(valueType.unstorable, readability: valueType.readability))
  }

  /// Describes an attribute of any other type, with a default that is made anew for each object.
  /// - Note: It serves generated code; describe attributes with ``AttributeDescription``.
  public static func _customAttribute<Value>(
    _ name: String, _ valueType: _CustomType<Value>,
    default defaultValue: @autoclosure @escaping @Sendable () -> Value,
    rules: [AttributeRule] = [], type: AttributeType? = nil, isOptional: Bool? = nil,
    allowsExternalBinaryDataStorage: Bool = false, versionHashModifier: String? = nil
  ) -> PropertyDescription {
    let scalar = valueType.scalar
    return .attribute(
      AttributeDescription(
        name: name, type: type ?? valueType.type, isOptional: isOptional ?? valueType.isOptional,
        default: .computed { scalar(defaultValue()) },
        allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
        versionHashModifier: versionHashModifier, rules: rules
      ).keeping(valueType.unstorable, readability: valueType.readability))
  }

  /// Describes an attribute whose values a transformer turns into bytes; without a default it starts as nil.
  /// - Note: It serves generated code; describe attributes with ``AttributeDescription``.
  public static func _transformedAttribute<Value: SendableMetatype>(
    _ name: String, _ valueType: Value.Type, transformer: String, isOptional: Bool,
    default defaultValue: (@Sendable () -> Value)? = nil, versionHashModifier: String? = nil
  ) -> PropertyDescription {
    let transformation = AttributeTransformation(transformer)
    var attribute = AttributeDescription(
      name: name, type: .transformable, isOptional: isOptional,
      versionHashModifier: versionHashModifier)
    attribute.valueTransformerName = transformer
    if let defaultValue {
      attribute.defaultValue = .computed {
        TransformedCoding.scalar(defaultValue(), by: transformation)
      }
    }
    attribute.readability = .ofTransformed(Value.self, by: transformation)
    return .attribute(attribute)
  }

  /// Describes a property that is kept in memory only.
  /// - Note: It serves generated code; describe attributes with ``AttributeDescription``.
  public static func _transientAttribute(_ name: String) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: .transformable, isTransient: true))
  }

  /// Describes a relationship. It asks the destination for its name only, because the two ends
  /// cannot wait for each other's descriptions.
  /// - Note: It serves generated code; describe relationships with ``RelationshipDescription``.
  public static func _relationship(
    _ name: String, destination: ManagedObject.Type, inverse: String? = nil, isToMany: Bool,
    presence: RelationshipDescription.Presence = .optional, isOrdered: Bool = false,
    deleteRule: RelationshipDescription.DeleteRule = .nullify, minCount: Int = 0,
    maxCount: Int? = nil, isOneWay: Bool = false
  ) -> PropertyDescription {
    var relationship = RelationshipDescription(
      name: name, destination: destination._entityName, inverse: inverse, isToMany: isToMany,
      isOptional: presence == .optional, deleteRule: deleteRule, minCount: minCount,
      maxCount: maxCount, isOrdered: isOrdered)
    relationship.isOneWay = isOneWay
    return .relationship(relationship)
  }
}

extension PropertyDescription {
  /// The same property with what only models say of it; each kind of property takes what it has.
  /// - Note: It serves generated code.
  public func _modelled(
    isOptional: Bool? = nil, isOrdered: Bool = false, versionHashModifier: String? = nil,
    preservesValueInHistoryOnDeletion: Bool = false, userInfo: [String: String] = [:]
  ) -> PropertyDescription {
    switch self {
    case .attribute(var attribute):
      attribute.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
      attribute.userInfo = userInfo
      return .attribute(attribute)
    case .relationship(var relationship):
      if let isOptional {
        relationship.isOptional = isOptional
        relationship.mayBeEmpty = !isOptional && relationship.isToMany
      }
      relationship.isOrdered = relationship.isOrdered || isOrdered
      relationship.versionHashModifier = versionHashModifier
      relationship.userInfo = userInfo
      return .relationship(relationship)
    }
  }
}

extension AttributeDescription {
  /// The same attribute, of a type with values that no store can keep, or that cannot be read.
  fileprivate func keeping(
    _ unstorable: _Unstorable?, readability: AttributeReadability?
  ) -> AttributeDescription {
    var attribute = self
    attribute.unstorable = unstorable
    attribute.readability = readability
    return attribute
  }
}

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
  static func ofJSON<Value: Codable & SendableMetatype>(
    _ type: Value.Type
  ) -> AttributeReadability {
    let plain = AttributeReadability { scalar in
      guard case .blob = scalar else { return nil }
      return TransformableCoding.isReadable(scalar, as: type) ? nil : .undecodable
    }
    return plain.explained(
      by: { TransformableCoding.failure($0, as: type) },
      reading: { TransformableCoding.withNumbersForDates($0, as: type) })
  }

  /// A type that a transformer makes of bytes.
  static func ofTransformed<Value: SendableMetatype>(
    _ type: Value.Type, by transformation: AttributeTransformation
  ) -> AttributeReadability {
    AttributeReadability { scalar in
      guard case .blob(let data) = scalar else { return nil }
      let value = TransformedCoding.value(type, from: data, by: transformation)
      return value == nil ? .undecodable : nil
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
