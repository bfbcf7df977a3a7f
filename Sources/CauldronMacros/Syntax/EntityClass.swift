import SwiftDiagnostics
import SwiftSyntax

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
  /// Whether the class is no entity, and gives its properties to those below it.
  let isBase: Bool
  /// What only models say of the entity, as arguments of a call.
  let modelling: [String]
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

/// The first line of a declaration marked `@Entity`: everything but its members.
///
/// The accessor macros see no more than this of the class that they are in.
struct EntityHeader {
  /// The declaration's name.
  let name: String
  /// The access level that matters to generated members.
  let access: EntityClass.Access
  /// The superclass as written; nil where it is `ManagedObject`.
  let entitySuperclass: String?
  /// What is wrong, if anything.
  let finding: Finding?

  /// What entities inherit from in the end.
  private static let baseClass = "ManagedObject"
  /// The same by Core Data's name, which `CauldronMagicalRecord` has.
  private static let oldBaseClass = "NSManagedObject"

  init(_ declaration: some DeclGroupSyntax, lexicalContext: [Syntax]) {
    let nameToken = declaration.asProtocol((any NamedDeclSyntax).self)?.name
    let name = nameToken?.text.filter { $0 != "`" } ?? ""
    let superclass = declaration.superclass
    self.name = name
    access = declaration.accessModifier
    entitySuperclass =
      Self.isBaseClass(superclass) ? nil : superclass?.trimmedDescription
    finding =
      Self.kind(of: declaration, named: name)
      ?? Self.context(of: declaration, nameToken: nameToken, named: name, in: lexicalContext)
      ?? Self.inheritance(of: declaration, nameToken: nameToken, named: name)
  }

  private static func isBaseClass(_ type: TypeSyntax?) -> Bool {
    type?.lastName == baseClass || type?.lastName == oldBaseClass
  }

  private static func kind(of declaration: some DeclGroupSyntax, named name: String) -> Finding? {
    if let declaration = declaration.as(ClassDeclSyntax.self) {
      return declaration.genericParameterClause.map { Finding($0, .genericClass) }
    }
    let keyword = declaration.introducer
    let article = keyword.text == "enum" || keyword.text == "actor" ? "an" : "a"
    let finding = EntityDiagnostic.needsClass(name: name, kind: "\(article) \(keyword.text)")
    // The cases of an enumeration have no place in a class, so only these two can be repaired.
    guard ["struct", "actor"].contains(keyword.text),
      let nameToken = declaration.asProtocol((any NamedDeclSyntax).self)?.name
    else { return Finding(keyword, finding) }
    let fixIt = FixIt(
      "replace '\(keyword.text)' with 'final class'", .replace(keyword, with: "final class"),
      addSuperclass(to: declaration, nameToken))
    return Finding(keyword, finding, fixIts: [fixIt])
  }

  private static func context(
    of declaration: some DeclGroupSyntax, nameToken: TokenSyntax?, named name: String,
    in lexicalContext: [Syntax]
  ) -> Finding? {
    let node = nameToken.map { Syntax($0) } ?? Syntax(declaration)
    for outer in lexicalContext {
      guard outer.asProtocol((any DeclGroupSyntax).self) != nil else {
        return Finding(node, .insideFunction(name: name))
      }
      let generic = outer.asProtocol((any WithGenericParametersSyntax).self)
      if generic?.genericParameterClause != nil {
        return Finding(node, .insideGenericType(name: name))
      }
    }
    // The conformance of a root class is an extension of the file, which must see the class.
    let isPrivate: (DeclModifierSyntax) -> Bool = { $0.name.tokenKind == .keyword(.private) }
    guard !lexicalContext.isEmpty, isBaseClass(declaration.superclass),
      let modifier = declaration.modifiers.first(where: isPrivate)
    else { return nil }
    return Finding(
      node, .privateInsideType(name: name),
      fixIts: [
        FixIt("replace 'private' with 'fileprivate'", .replace(modifier, with: "fileprivate"))
      ])
  }

  private static func inheritance(
    of declaration: some DeclGroupSyntax, nameToken: TokenSyntax?, named name: String
  ) -> Finding? {
    let first = declaration.superclass?.lastName
    guard first == nil || wellKnownProtocols.contains(first ?? ""), let nameToken else {
      return nil
    }
    let fixIt = FixIt("inherit from 'ManagedObject'", addSuperclass(to: declaration, nameToken))
    return Finding(nameToken, .needsSuperclass(name: name), fixIts: [fixIt])
  }

  private static func addSuperclass(
    to declaration: some DeclGroupSyntax, _ nameToken: TokenSyntax
  ) -> FixIt.Change {
    if let first = declaration.inheritanceClause?.inheritedTypes.first {
      return .insert("\(Self.baseClass), ", before: first)
    }
    return .insert(": \(Self.baseClass)", after: nameToken)
  }

  /// Protocols that people put first in an inheritance clause; a macro cannot see that they are no
  /// classes.
  private static let wellKnownProtocols: Set<String> = [
    "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable",
    "Encodable", "Equatable", "Hashable", "Identifiable", "ManagedEntity", "Observable", "Sendable",
  ]
}

extension DeclGroupSyntax {
  /// The first type of the inheritance clause, where a superclass stands.
  fileprivate var superclass: TypeSyntax? {
    inheritanceClause?.inheritedTypes.first?.type
  }

  fileprivate var accessModifier: EntityClass.Access {
    for modifier in modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.open): return .open
      case .keyword(.public): return .public
      case .keyword(.package): return .package
      default: continue
      }
    }
    return .unspecified
  }
}
