import SwiftSyntax

extension ClassDeclSyntax {
  /// The attributes of a class that add no members to it.
  private static let harmless: Set<String> = [
    "Entity", "MainActor", "available", "dynamicMemberLookup", "usableFromInline",
  ]

  /// Whether the class declares a `deinit`, be it in `#if`, or another macro might.
  var mayHaveDeinit: Bool {
    attributes.contains { $0.macroName.map { !Self.harmless.contains($0) } ?? true }
      || memberBlock.members.mayHaveDeinit
  }
}

extension MemberBlockItemListSyntax {
  fileprivate var mayHaveDeinit: Bool {
    contains { member in
      if member.decl.is(DeinitializerDeclSyntax.self) { return true }
      if member.decl.is(MacroExpansionDeclSyntax.self) { return true }
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return false }
      return conditional.clauses.contains { clause in
        guard case .decls(let members) = clause.elements else { return false }
        return members.mayHaveDeinit
      }
    }
  }
}
