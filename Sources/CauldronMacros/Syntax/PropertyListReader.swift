import SwiftDiagnostics
import SwiftSyntax

/// Reads the `#Unique` and `#Index` of a class.
///
/// The compiler checks that the key paths lead somewhere; this, that a store can compare what is there.
struct PropertyListReader {
  /// The class's name.
  let entity: String
  /// Whether there may be inherited properties, which a macro cannot see.
  let hasSuperclass: Bool
  /// The class's own properties.
  let properties: [Property]

  func read(
    _ members: MemberBlockItemListSyntax
  ) -> (lists: [PropertyList], findings: [Finding]) {
    var lists = properties.flatMap(\.markedLists)
    var findings: [Finding] = []
    for member in members {
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        findings += inside(conditional)
      }
      guard let macro = member.decl.as(MacroExpansionDeclSyntax.self),
        let kind = PropertyList.Kind(rawValue: macro.macroName.text)
      else { continue }
      findings += checkRoot(macro)
      if macro.arguments.isEmpty {
        findings.append(Finding(macro, .emptyList(macro: kind.rawValue)))
      }
      for argument in macro.arguments {
        let (list, found) = read(argument, as: kind, after: lists)
        if let list { lists.append(list) }
        findings += found
      }
    }
    return (lists, findings)
  }

  /// What is inside `#if` would be overlooked.
  private func inside(_ conditional: IfConfigDeclSyntax) -> [Finding] {
    conditional.clauses.flatMap { clause -> [Finding] in
      guard case .decls(let members) = clause.elements else { return [] }
      return members.compactMap { member in
        guard let macro = member.decl.as(MacroExpansionDeclSyntax.self),
          PropertyList.Kind(rawValue: macro.macroName.text) != nil
        else { return nil }
        return Finding(macro, .conditionalList(macro: macro.macroName.text))
      }
    }
  }

  /// The key paths must start from the class itself.
  private func checkRoot(_ macro: MacroExpansionDeclSyntax) -> [Finding] {
    guard let root = macro.genericArgumentClause?.arguments.first,
      TypeSyntax(root.argument)?.lastName != entity
    else { return [] }
    let name = macro.macroName.text
    return [
      Finding(
        root, .listOfOtherClass(macro: name, entity: entity),
        fixIts: [FixIt("replace it with '\(entity)'", .replace(root, with: entity))])
    ]
  }

  private func read(
    _ argument: LabeledExprSyntax, as kind: PropertyList.Kind, after others: [PropertyList]
  ) -> (PropertyList?, [Finding]) {
    guard let array = argument.expression.as(ArrayExprSyntax.self) else {
      return (nil, [needsList(argument, for: kind)])
    }
    if array.elements.isEmpty { return (nil, [Finding(array, .emptyList(macro: kind.rawValue))]) }
    var names: [String] = []
    var findings: [Finding] = []
    for element in array.elements {
      guard let name = propertyName(element.expression) else {
        findings.append(Finding(element.expression, .listNeedsKeyPath(macro: kind.rawValue)))
        continue
      }
      if let problem = problem(name, in: kind, after: names) {
        findings.append(
          Finding(element.expression, problem, fixIts: removal(of: element, from: array)))
      }
      names.append(name)
    }
    let isDouble = others.contains { $0.kind == kind && $0.names == names }
    if isDouble { findings.append(doubled(argument, in: kind, names: names)) }
    return findings.isEmpty ? (PropertyList(kind: kind, names: names), []) : (nil, findings)
  }

  private func needsList(_ argument: LabeledExprSyntax, for kind: PropertyList.Kind) -> Finding {
    let expression = argument.expression
    let list = "[\(expression.trimmedDescription)]"
    let isPath = expression.is(KeyPathExprSyntax.self)
    return Finding(
      expression, .needsKeyPathList(macro: kind.rawValue),
      fixIts: isPath ? [FixIt("put it in brackets", .replace(expression, with: list))] : [])
  }

  /// The name of the property that a key path of one step leads to.
  private func propertyName(_ expression: ExprSyntax) -> String? {
    guard let path = expression.as(KeyPathExprSyntax.self), path.components.count == 1,
      case .property(let property) = path.components.first?.component
    else { return nil }
    return property.declName.baseName.text.filter { $0 != "`" }
  }

  private func problem(
    _ name: String, in kind: PropertyList.Kind, after earlier: [String]
  ) -> EntityDiagnostic? {
    let macro = kind.rawValue
    if earlier.contains(name) { return .namedTwice(macro: macro, name: name) }
    guard let property = properties.first(where: { $0.plainName == name }) else {
      return hasSuperclass ? nil : .notStoredInList(macro: macro, name: name)
    }
    switch property.role {
    case .builtIn, .custom, .transformed, .toOne: return nil
    case .transient: return .transientInList(macro: macro, name: name)
    case .toMany: return .toManyInList(macro: macro, name: name)
    }
  }

  /// Takes one of several key paths away.
  private func removal(of element: ArrayElementSyntax, from array: ArrayExprSyntax) -> [FixIt] {
    guard array.elements.count > 1 else { return [] }
    let rest = array.elements.filter { $0.id != element.id }
    let list = rest.map(\.expression.trimmedDescription).joined(separator: ", ")
    return [
      FixIt(
        "remove '\(element.expression.trimmedDescription)'", .replace(array, with: "[\(list)]"))
    ]
  }

  private func doubled(
    _ argument: LabeledExprSyntax, in kind: PropertyList.Kind, names: [String]
  ) -> Finding {
    Finding(argument.expression, .listTwice(macro: kind.rawValue, names: names))
  }
}

extension Property {
  /// The name without backticks.
  var plainName: String { identifier.filter { $0 != "`" } }
}

/// One list of key paths in `#Unique` or `#Index`, as names of properties.
struct PropertyList {
  /// What the list is for.
  enum Kind: String {
    case unique = "Unique"
    case index = "Index"
  }

  let kind: Kind
  /// The properties' names, without backticks.
  let names: [String]

  /// The names as an array literal.
  var literal: String { "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]" }
}

extension Property {
  /// What `@Attribute(.unique)` and `@Attribute(.indexed)` say, as lists of the property alone.
  var markedLists: [PropertyList] {
    arguments.compactMap { argument in
      argument.lookup.map { PropertyList(kind: $0, names: [plainName]) }
    }
  }
}

extension LabeledExprSyntax {
  /// Whether the argument is `.unique` or `.indexed`.
  var lookup: PropertyList.Kind? {
    guard label == nil, let member = expression.as(MemberAccessExprSyntax.self) else { return nil }
    switch member.declName.baseName.text {
    case "unique": return .unique
    case "indexed": return .index
    default: return nil
    }
  }
}
