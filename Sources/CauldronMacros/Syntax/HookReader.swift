import SwiftSyntax

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
