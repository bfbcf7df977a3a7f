import SwiftDiagnostics
import SwiftSyntax

/// Sorts variables by their form, before anyone looks at their types.
enum VariableForm {
  /// Not a property of the entity: computed, static, or under a property wrapper.
  case foreign
  /// A property in the right form.
  case stored(StoredVariable)
  /// A property in a form that the macros cannot use.
  case unusable(Finding)

  init(_ variable: VariableDeclSyntax) {
    let isStored = !variable.isTypeMember && variable.bindings.contains { !$0.isComputed }
    if let marker = variable.marker {
      self = isStored ? Self.form(of: variable) : .unusable(Self.notStored(variable, as: marker))
    } else if !isStored || variable.hasForeignWrapper {
      self = .foreign
    } else {
      self = Self.form(of: variable)
    }
  }

  private static func form(of variable: VariableDeclSyntax) -> VariableForm {
    guard variable.bindings.count == 1, let binding = variable.bindings.first else {
      return .unusable(severalInOne(variable))
    }
    guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.trimmed,
      let place = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
    else { return .unusable(Finding(binding.pattern, .needsName)) }
    let name = identifier.text.filter { $0 != "`" }
    let finding =
      reserved(name, at: place) ?? constant(variable, named: name, at: place)
      ?? modifier(of: variable, named: name, at: place)
      ?? observers(of: binding, named: name, at: place)
    if let finding { return .unusable(finding) }
    guard let type = binding.typeAnnotation?.type else {
      return .unusable(needsType(binding, named: name, at: place))
    }
    return .stored(
      StoredVariable(
        variable: variable, binding: binding, identifier: place, type: type,
        marker: variable.marker?.kind, attribute: variable.marker?.attribute))
  }

  private static func notStored(
    _ variable: VariableDeclSyntax, as marker: (kind: PropertyMarker, attribute: AttributeSyntax)
  ) -> Finding {
    let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
    let marked = "@\(marker.kind.rawValue)"
    return Finding(
      marker.attribute, .notStored(marker: marker.kind.rawValue, name: name),
      fixIts: [FixIt("remove '\(marked)'", .remove(marker.attribute))])
  }

  private static func severalInOne(_ variable: VariableDeclSyntax) -> Finding {
    let names = variable.bindings.map(\.pattern.trimmedDescription)
    // Only commas between complete declarations can become line breaks.
    let isComplete = variable.bindings.allSatisfy { $0.typeAnnotation != nil }
    guard isComplete, variable.attributes.isEmpty else {
      return Finding(variable.bindings, .severalInOne(names: names))
    }
    let modifiers = variable.modifiers.map { $0.trimmedDescription + " " }.joined()
    let start = "\(modifiers)\(variable.bindingSpecifier.text) "
    let text = variable.bindings
      .map { start + $0.with(\.trailingComma, nil).trimmedDescription }
      .joined(separator: "; ")
    return Finding(
      variable.bindings, .severalInOne(names: names),
      fixIts: [FixIt("declare each by itself", .replace(variable, with: text))])
  }

  /// What every object has by itself.
  private static let reserved: Set<String> = [
    "conflicts", "entity", "hasChanges", "hasPersistentChangedValues", "isDeleted", "isFault",
    "isInserted", "isUpdated", "managedObjectContext", "objectID",
  ]

  private static func reserved(_ name: String, at place: TokenSyntax) -> Finding? {
    reserved.contains(name) ? Finding(place, .reservedName(name: name)) : nil
  }

  private static func constant(
    _ variable: VariableDeclSyntax, named name: String, at place: TokenSyntax
  ) -> Finding? {
    guard variable.isLet else { return nil }
    let change = FixIt.Change.replace(variable.bindingSpecifier, with: "var")
    return Finding(
      place, .constant(name: name), fixIts: [FixIt("replace 'let' with 'var'", change)])
  }

  private static func modifier(
    of variable: VariableDeclSyntax, named name: String, at place: TokenSyntax
  ) -> Finding? {
    let refused: [TokenKind] = [.keyword(.lazy), .keyword(.weak), .keyword(.unowned)]
    guard let modifier = variable.modifiers.first(where: { refused.contains($0.name.tokenKind) })
    else { return nil }
    return Finding(
      place, .modifier(name: name, modifier: modifier.name.text),
      fixIts: [FixIt("remove '\(modifier.name.text)'", .remove(modifier))])
  }

  private static func observers(
    of binding: PatternBindingSyntax, named name: String, at place: TokenSyntax
  ) -> Finding? {
    guard let block = binding.accessorBlock else { return nil }
    return Finding(
      place, .observers(name: name),
      fixIts: [FixIt("remove the observers", .removeTail(block))])
  }

  private static func needsType(
    _ binding: PatternBindingSyntax, named name: String, at place: TokenSyntax
  ) -> Finding {
    let type = binding.initializer?.value.evidentTypeName ?? "<#Type#>"
    return Finding(
      place, .needsType(name: name),
      fixIts: [FixIt("add ': \(type)'", .insert(": \(type)", after: binding.pattern))])
  }
}
