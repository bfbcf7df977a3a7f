import SwiftDiagnostics
import SwiftSyntax

/// Finds the initializers of a class that cannot work: its objects are made by their context, so that
/// every initializer of its own leads to `init(context:)`.
enum InitializerReader {
  /// What is wrong with the initializers of a class, also of those that only some builds have.
  static func findings(_ members: MemberBlockItemListSyntax, in entity: String) -> [Finding] {
    members.flatMap { member -> [Finding] in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        return conditional.clauses.flatMap { clause -> [Finding] in
          guard case .decls(let inner) = clause.elements else { return [] }
          return findings(inner, in: entity)
        }
      }
      return member.decl.as(InitializerDeclSyntax.self).flatMap { finding($0, in: entity) }
        .map { [$0] } ?? []
    }
  }

  private static func finding(_ node: InitializerDeclSyntax, in entity: String) -> Finding? {
    let parameters = node.signature.parameterClause.parameters
    let first = parameters.first?.firstName.text
    // What the context itself calls; a class may have something to set there.
    if first == "_seed" { return nil }
    if first == "context", parameters.count == 1 {
      return Finding(node.initKeyword, .inheritedInitializer(entity: entity))
    }
    if node.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) }) {
      return nil
    }
    return Finding(
      node.initKeyword, .designatedInitializer(entity: entity), fixIts: [makeConvenience(node)])
  }

  /// Makes an initializer call those of its own class.
  private static func makeConvenience(_ node: InitializerDeclSyntax) -> FixIt {
    let calls = SuperCalls(viewMode: .sourceAccurate)
    node.body.map { calls.walk($0) }
    let overrides = node.modifiers.filter { $0.name.tokenKind == .keyword(.override) }
    return FixIt(
      message: Repair(message: "make the initializer 'convenience'"),
      changes: overrides.map { .remove($0) }
        + [.insert("convenience ", before: node.initKeyword)]
        + calls.found.map { .replace($0, with: "self") })
  }

  /// The `super` of each `super.init`.
  private final class SuperCalls: SyntaxVisitor {
    private(set) var found: [SuperExprSyntax] = []

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
      if let base = node.base?.as(SuperExprSyntax.self),
        node.declName.baseName.tokenKind == .keyword(.`init`)
      {
        found.append(base)
      }
      return .visitChildren
    }
  }
}

/// Finds the functions of an object's life cycle that a class overrides.
enum HookReader {
  /// The kinds of the hooks, as `_ObjectHooks` names them, in its order.
  static func hooks(_ members: MemberBlockItemListSyntax) -> [String] {
    let found = Set(overrides(members).compactMap(kind))
    return kinds.filter(found.contains)
  }

  private static let kinds = [
    "validation", "awakeFromInsert", "awakeFromFetch", "awakeFromSnapshotEvents", "willSave",
    "didSave", "prepareForDeletion", "turnIntoFault", "importing",
  ]

  /// The kind that a function belongs to; nil for one that is no hook.
  private static func kind(_ name: String) -> String? {
    if name.hasPrefix("validate") { return "validation" }
    if ["shouldImport", "willImport", "didImport"].contains(name) { return "importing" }
    if name == "willTurnIntoFault" || name == "didTurnIntoFault" { return "turnIntoFault" }
    return kinds.first { $0 == name }
  }

  /// The names of overridden functions, also where it depends on the build whether they are.
  private static func overrides(_ members: MemberBlockItemListSyntax) -> [String] {
    members.flatMap { member -> [String] in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        return conditional.clauses.flatMap { clause -> [String] in
          guard case .decls(let inner) = clause.elements else { return [] }
          return overrides(inner)
        }
      }
      guard let function = member.decl.as(FunctionDeclSyntax.self),
        function.modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) })
      else { return [] }
      return [function.name.text]
    }
  }
}
