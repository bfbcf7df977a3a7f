import SwiftDiagnostics
import SwiftSyntax

/// Decides what a variable marked `@Relationship` is, or what is wrong with it.
enum RelationshipReader {
  static func read(_ stored: StoredVariable) -> (property: Property?, finding: Finding?) {
    let type = OptionalityOf(stored.type)
    let result =
      switch TypeShape(type.wrapped) {
      case .toMany(let destination, let isOrdered):
        toMany(stored, of: type, destination: destination, isOrdered: isOrdered)
      case .custom: toOne(stored, of: type)
      case .builtIn, .unsupported: (nil as Property?, notRelationship(stored) as Finding?)
      }
    guard let property = result.0 else { return result }
    if let finding = defaultValue(stored) ?? inverse(of: stored, as: property) {
      return (nil, finding)
    }
    return (property, nil)
  }

  private static func toMany(
    _ stored: StoredVariable, of type: OptionalityOf, destination: TypeSyntax, isOrdered: Bool
  ) -> (Property?, Finding?) {
    guard type.isOptional else {
      let role = Property.Role.toMany(destination: destination, isOrdered: isOrdered)
      return (stored.property(role, isOptional: false), nil)
    }
    let text = type.wrapped.trimmedDescription
    let fixIt = FixIt("change the type to '\(text)'", .replace(stored.type, with: text))
    return (nil, Finding(stored.identifier, .toManyOptional(name: stored.name), fixIts: [fixIt]))
  }

  private static func toOne(
    _ stored: StoredVariable, of type: OptionalityOf
  ) -> (Property?, Finding?) {
    if let element = element(of: type.wrapped) { return (nil, needsToMany(stored, of: element)) }
    guard type.wrapped.genericArguments.isEmpty, type.wrapped.lastName != nil else {
      return (nil, notRelationship(stored))
    }
    guard type.isOptional, !type.isImplicitlyUnwrapped else {
      let text = "\(type.wrapped.trimmedDescription)?"
      let fixIt = FixIt("change the type to '\(text)'", .replace(stored.type, with: text))
      return (
        nil, Finding(stored.identifier, .toOneNotOptional(name: stored.name), fixIts: [fixIt])
      )
    }
    return (stored.property(.toOne(destination: type.wrapped), isOptional: true), nil)
  }

  /// The element of an array or a set, which people write where `ToMany` belongs.
  private static func element(of type: TypeSyntax) -> TypeSyntax? {
    if let array = type.as(ArrayTypeSyntax.self) { return array.element }
    guard let name = type.lastName, ["Array", "Set"].contains(name) else { return nil }
    return type.genericArguments.first
  }

  private static func needsToMany(_ stored: StoredVariable, of element: TypeSyntax) -> Finding {
    let text = "ToMany<\(element.trimmedDescription)>"
    return Finding(
      stored.identifier, .needsToMany(name: stored.name, type: text),
      fixIts: [FixIt("change the type to '\(text)'", .replace(stored.type, with: text))])
  }

  private static func notRelationship(_ stored: StoredVariable) -> Finding {
    let fixIts = stored.attribute.map { [FixIt("remove '@Relationship'", .remove($0))] } ?? []
    let type = stored.type.trimmedDescription
    return Finding(
      stored.identifier, .notRelationship(name: stored.name, type: type), fixIts: fixIts)
  }

  /// A relationship starts empty, so only `nil` and `[]` may stand there.
  private static func defaultValue(_ stored: StoredVariable) -> Finding? {
    guard let clause = stored.binding.initializer, !clause.value.isNil,
      clause.value.as(ArrayExprSyntax.self)?.elements.isEmpty != true
    else { return nil }
    return Finding(
      stored.identifier, .relationshipDefault(name: stored.name),
      fixIts: [FixIt("remove the default value", .removeTail(clause))])
  }

  private static func inverse(of stored: StoredVariable, as property: Property) -> Finding? {
    guard let argument = property.argument("inverse"), property.inverseName == nil,
      !argument.isNil
    else { return nil }
    return Finding(argument, .inverseNotLiteral(name: stored.name))
  }
}

extension Property {
  /// The name of the inverse: the last component of a key path, or a string.
  var inverseName: String? {
    guard let argument = argument("inverse") else { return nil }
    if let string = argument.constantString { return string }
    let last = argument.as(KeyPathExprSyntax.self)?.components.last?.component
    guard case .property(let property) = last else { return nil }
    return property.declName.baseName.text.filter { $0 != "`" }
  }
}

/// Finds relationships of one class that name one another, which is a cycle for the compiler, or the same
/// inverse.
///
/// Of two classes a macro sees one only; there the compiler's own words must do.
enum InverseReader {
  static func findings(_ properties: [Property], in name: String) -> [Finding] {
    cycles(properties, in: name) + doubles(properties)
  }

  /// Relationships that name the same inverse, which can lead back to one of them alone.
  private static func doubles(_ properties: [Property]) -> [Finding] {
    properties.enumerated().compactMap { index, property in
      guard let path = property.inversePath, let inverse = property.inverseName,
        let other = properties[..<index].first(where: {
          $0.inversePath?.trimmedDescription == path.trimmedDescription
        })
      else { return nil }
      return Finding(
        path, .inverseTwice(name: other.name, other: property.name, inverse: inverse))
    }
  }

  private static func cycles(_ properties: [Property], in name: String) -> [Finding] {
    properties.enumerated().compactMap { index, property in
      guard let path = property.inversePath, path.rootName == name,
        let other = properties[..<index].first(where: {
          $0.name == property.inverseName && $0.inverseName == property.name
            && $0.inversePath?.rootName == name
        })
      else { return nil }
      return Finding(
        path, .inverseOnBothSides(name: other.name, other: property.name),
        fixIts: fixIts(for: property, at: path))
    }
  }

  private static func fixIts(for property: Property, at path: KeyPathExprSyntax) -> [FixIt] {
    var node = path.parent
    while let step = node, !step.is(AttributeSyntax.self) { node = step.parent }
    guard property.arguments.count == 1, let attribute = node?.as(AttributeSyntax.self) else {
      return []
    }
    let bare = "@\(attribute.attributeName.trimmedDescription)"
    return [FixIt("replace it with '\(bare)'", .replace(attribute, with: bare))]
  }
}

extension Property {
  fileprivate var inversePath: KeyPathExprSyntax? {
    argument("inverse")?.as(KeyPathExprSyntax.self)
  }
}

extension KeyPathExprSyntax {
  /// The name of the type that the path starts from.
  fileprivate var rootName: String? { root?.lastName }
}
