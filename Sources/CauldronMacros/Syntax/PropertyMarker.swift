import SwiftSyntax

/// The macro that says what a variable is.
enum PropertyMarker: String {
  case attribute = "Attribute"
  case relationship = "Relationship"
  case transient = "Transient"
}

extension VariableDeclSyntax {
  /// The first of our macros on the variable, with its attribute.
  var marker: (kind: PropertyMarker, attribute: AttributeSyntax)? {
    for case .attribute(let attribute) in attributes {
      guard let name = attribute.attributeName.lastName, let kind = PropertyMarker(rawValue: name)
      else { continue }
      return (kind, attribute)
    }
    return nil
  }

  /// Whether an attribute of someone else, such as a property wrapper, owns the variable. The
  /// compiler's own attributes start with a lowercase letter; `@MainActor` is the exception.
  var hasForeignWrapper: Bool {
    attributes.contains { element in
      guard let name = element.macroName, name != "MainActor" else { return false }
      return PropertyMarker(rawValue: name) == nil && name.first?.isUppercase == true
    }
  }

  /// Whether the variable belongs to the type, not to its instances.
  var isTypeMember: Bool {
    modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
  }

  var isLet: Bool { bindingSpecifier.tokenKind == .keyword(.let) }
}

extension PatternBindingSyntax {
  /// Whether the variable has a getter of its own.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .getter: true
    case .accessors(let list): !list.contains { $0.isObserver }
    case nil: false
    }
  }
}

extension AccessorDeclSyntax {
  /// Whether the accessor is `willSet` or `didSet`.
  var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}
