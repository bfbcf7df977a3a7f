public import Cauldron
public import Foundation

// What imports were made of: the compiler tells what to do instead.

/// Objects have their part in imports without a protocol.
@available(*, unavailable, message: "override shouldImport(_:), willImport(_:) and didImport(_:)")
public protocol MagicalRecordDataImportProtocol {}

extension EntityDescription {
  /// The key is part of the model.
  @available(*, unavailable, message: "see 'importKey', or 'uniquenessConstraints'")
  public func mr_primaryAttributeToRelateBy() -> AttributeDescription? { nil }

  /// Objects are created by their classes.
  @available(*, unavailable, message: "use 'Person.create(in: context)'")
  public func mr_createInstance(in context: some ObjectContext) -> ManagedObject? { nil }

  /// The properties are an array.
  @available(*, unavailable, message: "use 'properties.first { $0.name == \"age\" }'")
  public func mr_attributeDescription(forName name: String) -> AttributeDescription? { nil }
}

extension AttributeDescription {
  /// The names are part of the model.
  @available(*, unavailable, message: "see 'importing.from'")
  public func mr_primaryKey() -> String? { nil }

  /// Sources are asked for values.
  @available(*, unavailable, message: "use 'source.value(at: \"a.b\")' of an ImportSource")
  public func mr_value(forKeyPath path: String, fromObjectData data: Any) -> Any? { nil }
}

extension RelationshipDescription {
  /// The key is part of the model.
  @available(*, unavailable, message: "see 'importing.match'")
  public func mr_primaryKey() -> String? { nil }
}

extension NSObject {
  /// The names are part of the model.
  @available(*, unavailable, message: "see 'importing.from' of the attribute")
  public func mr_lookupKey(forAttribute attribute: AttributeDescription) -> String? { nil }

  /// Sources are asked for values.
  @available(*, unavailable, message: "use 'source.value(at: \"a.b\")' of an ImportSource")
  public func mr_value(forAttribute attribute: AttributeDescription) -> Any? { nil }

  /// The names are part of the model.
  @available(*, unavailable, message: "see 'importing.from' of the relationship")
  public func mr_lookupKey(forRelationship relationship: RelationshipDescription) -> String? { nil }

  /// Sources are asked for values.
  @available(*, unavailable, message: "use 'source.value(at: \"a.b\")' of an ImportSource")
  public func mr_relatedValue(forRelationship relationship: RelationshipDescription) -> Any? { nil }
}

extension NSString {
  /// Swift has it.
  @available(*, unavailable, message: "use 'text.prefix(1).uppercased() + text.dropFirst()'")
  public func mr_capitalizedFirstCharacter() -> String { "" }
}
