/// A class marked `@Entity` that has no problems, ready to be written out.
struct EntityClass {
  /// The class's name as written.
  let identifier: String
  /// How far generated members can be seen.
  let accessLevel: Access
  /// The superclass as written; nil where it is `ManagedObject`.
  let superclass: String?
  /// The entity's name as a string literal.
  let nameLiteral: String
  /// The expression that tells whether the entity is abstract.
  let isAbstract: String
  /// The names that the entity had before, as written.
  let originalNames: [String]
  /// What may be lost of what the store had, as written.
  let discards: String?
  /// The properties in declaration order.
  let properties: [Property]
  /// What `#Unique` and `#Index` name.
  let lists: [PropertyList]
  /// The kinds of hooks that the class itself overrides, as `_ObjectHooks` names them.
  let hooks: [String]
  /// The functions that import single properties.
  let imports: [ImportFunction]
  /// The attribute by which imports find objects, as written.
  let importKey: String?
}

extension EntityClass {
  /// The access levels at which generated members need a modifier.
  enum Access {
    case `open`
    case `public`
    case package
    /// Members are as visible as their class without a modifier.
    case unspecified
  }

  /// The modifier of a new member, with a space behind it, or nothing.
  var access: String {
    switch accessLevel {
    case .open, .public: "public "
    case .package: "package "
    case .unspecified: ""
    }
  }

  /// The modifier of an override; it is open where other modules can override it once more.
  var overrideAccess: String { accessLevel == .open ? "open " : access }

  /// Whether generated members may be inlined into other modules.
  var isPublic: Bool { accessLevel == .open || accessLevel == .public }
}
