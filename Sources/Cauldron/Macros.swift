public import CauldronGraph
public import CauldronModel

/// Makes a class an entity: each stored `var` becomes a property that the store keeps.
///
/// ```swift
/// @Entity final class Person: ManagedObject {
///   var name: String
///   var age: Int = 0
///   @Relationship(inverse: \Company.employees) var employer: Company?
/// }
/// ```
///
/// The class must derive from ``ManagedObject`` or from another entity, whose properties it then
/// inherits. A property needs a type annotation. The built-in attribute types (`String`, `Int`,
/// `Int16`, `Int32`, `Int64`, `Bool`, `Double`, `Float`, `Decimal`, `Date`, `Data`, `UUID`, `URL`,
/// `Duration`) may stand without a default value; other types, which are stored as their raw value or
/// as JSON, need one or are optional. A default that is not a literal is evaluated anew for each
/// object.
/// - Parameters:
///   - name: The entity's name; the class's name where it is nil.
///   - isAbstract: Whether only subentities can be created.
///   - importKey: The name of the attribute by which imports find objects; nil for its only unique one, or for
///     those that are unique together.
///   - originalName: The names that the entity had before, the oldest last, by which its rows are found
///     in stores of older versions.
///   - discards: What stores of older versions have of the entity and may be lost: `["fax: String"]`.
///   - isBase: Whether the class is no entity: those that derive from it have its properties as their own.
///   - versionHashModifier: Forces another version hash where the definition does not change.
///   - userInfo: Notes, as model editors have them: imports read MagicalRecord's keys in them.
@attached(
  member, names: named(_Properties), named(_entityName), named(_describeEntity),
  named(_keyPathTable), named(_transientDefault), named(_hooks), named(_Access),
  named(_importedProperties), named(_importProperty), named(_entityRecord))
@attached(memberAttribute)
@attached(extension, conformances: ManagedEntity)
public macro Entity(
  _ name: String? = nil, isAbstract: Bool = false, importKey: String? = nil,
  originalName: String...,
  discards: [String] = [], isBase: Bool = false, versionHashModifier: String? = nil,
  userInfo: [String: String] = [:]
) =
  #externalMacro(module: "CauldronMacros", type: "EntityMacro")

/// Sets what the type of an attribute does not say; `@Entity` adds it to every plain `var`.
///
/// ```swift
/// @Attribute(.length(1...40)) var name: String
/// @Attribute(.range(0...5)) var priority: Int16 = 0
/// @Attribute(allowsExternalBinaryDataStorage: true) var photo: Data?
/// @Attribute(isOptional: true) var count: Int         // optional in the model alone
/// @Attribute(isOptional: false) var email: String?    // required in the model
/// ```
/// - Parameters:
///   - rules: What a save asks of the value. A default value may break a rule: then the property must
///     be set before the save.
///   - type: The type in the store; that of the property where it is nil.
///   - isOptional: Whether the store may have no value; what the property's type says where it is nil.
///     A property that cannot be nil reads as zero, an empty text or its default value then, and
///     conditions find it by `{ $0.count == nil }`.
///   - allowsExternalBinaryDataStorage: Whether Core Data may keep large values in files;
///     a store in a file is refused then.
///   - versionHashModifier: Forces another version hash where the definition does not change.
///   - from: The names under which imports find the value, tried in this order; paths have points between
///     names: `"statistics.area"`. The property's own name where there are none.
///   - absent: What an import does where no name is there; it leaves the value alone by default.
///   - null: What an import does where there is null; it sets nil by default.
///   - empty: What an import does where there is an empty text; nil, the default, to follow the
///     options of the import, by default as a text.
///   - dateFormat: How imports read a date, tried in this order; ISO 8601 where there is none.
///   - transform: Makes the value from the whole record of an import.
///   - imported: Whether imports set the value at all; true by default.
///   - originalName: The names that the property had before, the oldest last.
///   - preservesValueInHistoryOnDeletion: Whether Core Data keeps the value in its history when the object is deleted;
///     part of the version hash.
///   - userInfo: Notes, as model editors have them: imports read MagicalRecord's keys in them.
@attached(accessor)
public macro Attribute(
  _ rules: AttributeRule..., type: AttributeType? = nil, isOptional: Bool? = nil,
  allowsExternalBinaryDataStorage: Bool = false, versionHashModifier: String? = nil,
  from: String..., absent: ImportPolicy = .keep,
  null: ImportPolicy = .setNil, empty: ImportPolicy? = nil, dateFormat: ImportDateFormat...,
  transform: ImportTransform? = nil, imported: Bool = true, originalName: String...,
  preservesValueInHistoryOnDeletion: Bool = false, userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "AttributeMacro")

/// Makes an attribute unique by itself, or gives it an index.
///
/// ```swift
/// @Attribute(.unique) var name: String
/// @Attribute(.indexed) var count: Int = 0
/// ```
///
/// `#Unique` and `#Index` say the same of several properties together.
/// - Parameters:
///   - lookup: Which of the two.
///   - rules: What a save asks of the value.
///   - type: The type in the store; that of the property where it is nil.
///   - isOptional: Whether the store may have no value; what the property's type says where it is nil.
///     A property that cannot be nil reads as zero, an empty text or its default value then, and
///     conditions find it by `{ $0.count == nil }`.
///   - allowsExternalBinaryDataStorage: Whether Core Data may keep large values in files;
///     a store in a file is refused then.
///   - versionHashModifier: Forces another version hash where the definition does not change.
///   - from: The names under which imports find the value, tried in this order; paths have points between
///     names: `"statistics.area"`. The property's own name where there are none.
///   - absent: What an import does where no name is there; it leaves the value alone by default.
///   - null: What an import does where there is null; it sets nil by default.
///   - empty: What an import does where there is an empty text; nil, the default, to follow the
///     options of the import, by default as a text.
///   - dateFormat: How imports read a date, tried in this order; ISO 8601 where there is none.
///   - transform: Makes the value from the whole record of an import.
///   - imported: Whether imports set the value at all; true by default.
///   - originalName: The names that the property had before, the oldest last.
///   - preservesValueInHistoryOnDeletion: Whether Core Data keeps the value in its history when the object is deleted;
///     part of the version hash.
///   - userInfo: Notes, as model editors have them: imports read MagicalRecord's keys in them.
@attached(accessor)
public macro Attribute(
  _ lookup: AttributeLookup, _ rules: AttributeRule..., type: AttributeType? = nil,
  isOptional: Bool? = nil, allowsExternalBinaryDataStorage: Bool = false,
  versionHashModifier: String? = nil,
  from: String..., absent: ImportPolicy = .keep, null: ImportPolicy = .setNil,
  empty: ImportPolicy? = nil, dateFormat: ImportDateFormat..., transform: ImportTransform? = nil,
  imported: Bool = true, originalName: String...,
  preservesValueInHistoryOnDeletion: Bool = false, userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "AttributeMacro")

/// Makes an attribute one that the store computes, such as the number of objects that a to-many relationship
/// leads to.
///
/// ```swift
/// @Relationship(deleteRule: .cascade) var pages: ToMany<Page>
/// @Attribute(derived: "pages.@count") var pagesCount: Int
/// @Attribute(derived: "pages.@sum.words") var wordCount: Int
/// @Attribute(derived: "author.name") var authorName: String?
/// @Attribute(derived: "now()") var savedAt: Date?
/// ```
/// It can be read, asked for and sorted by like any other, and not set. The value is that of the last
/// save to the store: unsaved changes do not count.
/// - Parameters:
///   - derived: What it is derived from, as Core Data writes it: the number of objects that a to-many
///     relationship leads to, the sum of one of their attributes, an attribute of the object that a to-one
///     relationship leads to, another attribute, a form of its text such as `canonical:(name)`, or the time of the
///     last save. Other expressions are refused.
///   - type: The type in the store; that of the property where it is nil.
///   - versionHashModifier: Forces another version hash where the definition does not change.
///   - originalName: The names that the property had before, the oldest last.
///   - preservesValueInHistoryOnDeletion: Whether Core Data keeps the value in its history when the object is deleted;
///     part of the version hash.
///   - userInfo: Notes, as model editors have them: imports read MagicalRecord's keys in them.
@attached(accessor)
public macro Attribute(
  derived: String, type: AttributeType? = nil, versionHashModifier: String? = nil,
  originalName: String..., preservesValueInHistoryOnDeletion: Bool = false,
  userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "AttributeMacro")

/// Makes an attribute one whose values a transformer turns into bytes, as the models of iOS applications have them.
///
/// ```swift
/// @Attribute(transformer: "NSSecureUnarchiveFromData") var tags: [String] = []
/// @Attribute(transformer: "ColorTransformer") var color: Color?
/// ```
/// Keyed archives hold texts, numbers, dates, data, URLs and UUIDs, and arrays, sets and dictionaries of them;
/// a `Codable` structure is archived as a dictionary. Every other transformer is the program's own.
/// - Parameters:
///   - transformer: The name that the model has: one that was registered with ``AttributeTransformers``, or
///     `NSSecureUnarchiveFromData` for keyed archives.
///   - isOptional: Whether the store may have no value; what the property's type says where it is nil.
///   - versionHashModifier: Forces another version hash where the definition does not change.
///   - originalName: The names that the property had before, the oldest last.
///   - preservesValueInHistoryOnDeletion: Whether Core Data keeps the value in its history when the object is deleted;
///     part of the version hash.
///   - userInfo: Notes, as model editors have them: imports read MagicalRecord's keys in them.
@attached(accessor)
public macro Attribute(
  transformer: String, isOptional: Bool? = nil, versionHashModifier: String? = nil,
  originalName: String..., preservesValueInHistoryOnDeletion: Bool = false,
  userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "AttributeMacro")

/// How the objects with a value of an attribute are found.
public enum AttributeLookup: Sendable {
  /// There is one object with a value at most; nil is equal to nothing.
  case unique
  /// There may be many, and an index finds them quickly.
  case indexed
}

/// Makes a property a relationship: to one object if its type is `Company?`, to any number if it is
/// `ToMany<Person>`.
///
/// ```swift
/// @Relationship(inverse: \Company.employees) var employer: Company?
/// ```
///
/// One of the two sides names the inverse with a key path. The other side is bare: key paths on both
/// sides are a cycle for the compiler, which says "circular reference resolving attached macro
/// 'Relationship'". Strings may stand on both.
/// - Parameters:
///   - presence: Whether a save asks for a destination.
///   - inverse: The relationship that leads back.
///   - deleteRule: What happens to the destinations when the object is deleted.
///   - minCount: The smallest number of destinations, which a save counts; part of the version hash.
///     Where the relationship is optional, none is allowed all the same.
///   - maxCount: The largest number; nil for 1 or, for a to-many, any number.
///   - from: The names under which imports find the objects, tried in this order; paths have points between
///     names. The property's own name where there are none.
///   - match: The attribute of the destination by which imports find its objects; its only unique one where
///     none is named.
///   - members: What an import does with members that a record does not list; they stay by default.
///   - unknown: What an import does with a key that nothing has; an object with just the key is created by
///     default.
///   - absent: What an import does where no name is there; it leaves the relationship alone by default.
///   - null: What an import does where there is null; the relationship leads nowhere then by default.
///   - empty: What an import does where there is an empty text; nil, the default, to follow the
///     options of the import, by default as a key.
///   - subentity: The entity of objects that an import creates, where the destination is abstract.
///   - transform: Makes the value from the whole record of an import.
///   - imported: Whether imports set the relationship at all; true by default.
///   - originalName: The names that the relationship had before, the oldest last.
///   - isOptional: Whether the model says that there may be no destination; false for a to-many relationship that may
///     be empty all the same, as in Core Data. Nil, the default, says what `presence` says.
///   - isOrdered: Whether the model says so of a relationship to one object, where it means nothing but another
///     version hash.
///   - versionHashModifier: Forces another version hash where the definition does not change.
///   - userInfo: Notes, as model editors have them: imports read MagicalRecord's keys in them.
@attached(accessor)
public macro Relationship(
  _ presence: RelationshipDescription.Presence = .optional, inverse: AnyKeyPath,
  deleteRule: RelationshipDescription.DeleteRule = .nullify,
  minCount: Int = 0, maxCount: Int? = nil, from: String..., match: String? = nil,
  members: ImportMembers = .merge, unknown: ImportUnknown = .stub, absent: ImportPolicy = .keep,
  null: ImportPolicy = .setNil, empty: ImportPolicy? = nil, subentity: String? = nil,
  transform: ImportTransform? = nil, imported: Bool = true, originalName: String...,
  isOptional: Bool? = nil, isOrdered: Bool = false, versionHashModifier: String? = nil,
  userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "RelationshipMacro")

/// The same, with the attribute by which imports find the objects as a key path.
@attached(accessor)
public macro Relationship(
  _ presence: RelationshipDescription.Presence = .optional, inverse: AnyKeyPath,
  deleteRule: RelationshipDescription.DeleteRule = .nullify,
  minCount: Int = 0, maxCount: Int? = nil, from: String..., match: AnyKeyPath,
  members: ImportMembers = .merge, unknown: ImportUnknown = .stub, absent: ImportPolicy = .keep,
  null: ImportPolicy = .setNil, empty: ImportPolicy? = nil, subentity: String? = nil,
  transform: ImportTransform? = nil, imported: Bool = true, originalName: String...,
  isOptional: Bool? = nil, isOrdered: Bool = false, versionHashModifier: String? = nil,
  userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "RelationshipMacro")

/// Makes a property a relationship whose inverse is named by a string, or by the other side.
///
/// ```swift
/// @Relationship var employees: ToMany<Person>
/// @Relationship(isOneWay: true) var lastRead: Book?
/// ```
/// - Parameters:
///   - presence: Whether a save asks for a destination.
///   - inverse: The name of the relationship that leads back; nil where the other side names it.
///   - deleteRule: What happens to the destinations when the object is deleted.
///   - minCount: The smallest number of destinations, which a save counts; part of the version hash.
///     Where the relationship is optional, none is allowed all the same.
///   - maxCount: The largest number; nil for 1 or, for a to-many, any number.
///   - isOneWay: Whether no relationship leads back; see ``RelationshipDescription/isOneWay``.
///   - from: The names under which imports find the objects, tried in this order; paths have points between
///     names. The property's own name where there are none.
///   - match: The attribute of the destination by which imports find its objects; its only unique one where
///     none is named.
///   - members: What an import does with members that a record does not list; they stay by default.
///   - unknown: What an import does with a key that nothing has; an object with just the key is created by
///     default.
///   - absent: What an import does where no name is there; it leaves the relationship alone by default.
///   - null: What an import does where there is null; the relationship leads nowhere then by default.
///   - empty: What an import does where there is an empty text; nil, the default, to follow the
///     options of the import, by default as a key.
///   - subentity: The entity of objects that an import creates, where the destination is abstract.
///   - transform: Makes the value from the whole record of an import.
///   - imported: Whether imports set the relationship at all; true by default.
///   - originalName: The names that the relationship had before, the oldest last.
///   - isOptional: Whether the model says that there may be no destination; false for a to-many relationship that may
///     be empty all the same, as in Core Data. Nil, the default, says what `presence` says.
///   - isOrdered: Whether the model says so of a relationship to one object, where it means nothing but another
///     version hash.
///   - versionHashModifier: Forces another version hash where the definition does not change.
///   - userInfo: Notes, as model editors have them: imports read MagicalRecord's keys in them.
@attached(accessor)
public macro Relationship(
  _ presence: RelationshipDescription.Presence = .optional, inverse: String? = nil,
  deleteRule: RelationshipDescription.DeleteRule = .nullify,
  minCount: Int = 0, maxCount: Int? = nil, isOneWay: Bool = false, from: String...,
  match: String? = nil,
  members: ImportMembers = .merge, unknown: ImportUnknown = .stub, absent: ImportPolicy = .keep,
  null: ImportPolicy = .setNil, empty: ImportPolicy? = nil, subentity: String? = nil,
  transform: ImportTransform? = nil, imported: Bool = true, originalName: String...,
  isOptional: Bool? = nil, isOrdered: Bool = false, versionHashModifier: String? = nil,
  userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "RelationshipMacro")

/// The same, with the attribute by which imports find the objects as a key path.
@attached(accessor)
public macro Relationship(
  _ presence: RelationshipDescription.Presence = .optional, inverse: String? = nil,
  deleteRule: RelationshipDescription.DeleteRule = .nullify,
  minCount: Int = 0, maxCount: Int? = nil, isOneWay: Bool = false, from: String...,
  match: AnyKeyPath,
  members: ImportMembers = .merge, unknown: ImportUnknown = .stub, absent: ImportPolicy = .keep,
  null: ImportPolicy = .setNil, empty: ImportPolicy? = nil, subentity: String? = nil,
  transform: ImportTransform? = nil, imported: Bool = true, originalName: String...,
  isOptional: Bool? = nil, isOrdered: Bool = false, versionHashModifier: String? = nil,
  userInfo: [String: String] = [:]
) = #externalMacro(module: "CauldronMacros", type: "RelationshipMacro")

/// Keeps a property in memory only: it has no column, and any type will do.
///
/// ```swift
/// @Transient var thumbnail: Image?
/// ```
@attached(accessor)
public macro Transient() = #externalMacro(module: "CauldronMacros", type: "TransientMacro")

/// Names what must be unique: no two objects of the class have the same values in all properties of a
/// list. It stands inside the class.
///
/// ```swift
/// @Entity final class Tag: ManagedObject {
///   #Unique<Tag>([\.name], [\.kind, \.order])
///   var name: String
///   var kind: String
///   var order: Int = 0
/// }
/// ```
///
/// A value that is nil is equal to nothing. The lists are part of the version hash.
/// - Parameter constraints: Lists of key paths to attributes and to-one relationships.
@freestanding(declaration)
public macro Unique<Object: ManagedObject>(_ constraints: [PartialKeyPath<Object>]...) =
  #externalMacro(module: "CauldronMacros", type: "PropertyListMacro")

/// Names what fetches are to find and sort quickly. It stands inside the class.
///
/// ```swift
/// #Index<Tag>([\.kind, \.order])
/// ```
///
/// A list makes one index of all its properties, which serves comparisons with the first of them, too.
/// To-one relationships and what is unique have an index of their own. A store that lacks an index gets
/// it when it is opened.
/// - Parameter indexes: Lists of key paths to attributes and to-one relationships.
@freestanding(declaration)
public macro Index<Object: ManagedObject>(_ indexes: [PartialKeyPath<Object>]...) =
  #externalMacro(module: "CauldronMacros", type: "PropertyListMacro")
