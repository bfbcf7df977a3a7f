import SwiftDiagnostics
import SwiftSyntax

/// Reads a declaration marked `@Entity`.
struct EntityReader {
  let attribute: AttributeSyntax
  /// What lies around the declaration, from the inside out.
  let lexicalContext: [Syntax]

  /// The class, or nil where its header has problems, and all problems in source order.
  func read(_ declaration: some DeclGroupSyntax) -> (entity: EntityClass?, findings: [Finding]) {
    let header = EntityHeader(declaration, lexicalContext: lexicalContext)
    var findings = header.finding.map { [$0] } ?? []
    if let name = nameArgument, name.constantString == nil, !name.isNil {
      findings.append(Finding(name, .nameNotLiteral))
    }
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return (nil, findings) }
    let members = readMembers(declaration.memberBlock.members)
    let (lists, listFindings) = PropertyListReader(
      entity: header.name, hasSuperclass: header.entitySuperclass != nil,
      properties: members.properties
    ).read(declaration.memberBlock.members)
    let entity =
      header.finding == nil
      ? entity(declaration, with: header, properties: members.properties, lists: lists) : nil
    let imports = ImportFunction.findings(
      among: declaration.memberBlock.members, for: members.properties,
      hasSuperclass: header.entitySuperclass != nil)
    let initializers = InitializerReader.findings(
      declaration.memberBlock.members, in: header.name)
    let inverses =
      InverseReader.findings(members.properties, in: header.name)
      + DerivationReader.findings(
        members.properties, isWhole: header.entitySuperclass == nil)
    return (
      entity, findings + members.findings + initializers + inverses + listFindings + imports
    )
  }

  private func entity(
    _ declaration: ClassDeclSyntax, with header: EntityHeader, properties: [Property],
    lists: [PropertyList]
  ) -> EntityClass {
    EntityClass(
      identifier: declaration.name.text, accessLevel: header.access,
      superclass: header.entitySuperclass,
      nameLiteral: nameArgument.flatMap { $0.isNil ? nil : $0.trimmedDescription }
        ?? "\"\(header.name)\"",
      isAbstract: argument("isAbstract")?.trimmedDescription ?? "false",
      originalNames: arguments.originalNames,
      discards: argument("discards")?.trimmedDescription,
      properties: properties, lists: lists,
      hooks: HookReader.hooks(declaration.memberBlock.members),
      imports: ImportFunction.all(in: declaration.memberBlock.members),
      importKey: argument("importKey")?.trimmedDescription,
      isBase: argument("isBase")?.trimmedDescription == "true",
      modelling: ["versionHashModifier", "userInfo"].compactMap { label in
        argument(label).map { "\(label): \($0.trimmedDescription)" }
      })
  }

  private func readMembers(
    _ members: MemberBlockItemListSyntax
  ) -> (properties: [Property], findings: [Finding]) {
    var properties: [Property] = []
    var findings: [Finding] = []
    for member in members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        let result = PropertyReader.read(variable)
        if let property = result.property { properties.append(property) }
        if let finding = result.finding { findings.append(finding) }
      } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        findings += readConditional(conditional)
      }
    }
    return (properties, findings)
  }

  /// Refuses properties inside `#if`: the indices of an entity must not depend on the build.
  private func readConditional(_ conditional: IfConfigDeclSyntax) -> [Finding] {
    conditional.clauses.flatMap { clause -> [Finding] in
      guard case .decls(let members) = clause.elements else { return [] }
      let inside = readMembers(members)
      let names = inside.properties.map { $0.identifier.filter { $0 != "`" } }
      return names.map { Finding(conditional, .conditional(name: $0)) } + inside.findings
    }
  }

  /// The entity's name: the one argument without a label.
  private var nameArgument: ExprSyntax? {
    arguments.first.flatMap { $0.label == nil ? $0.expression : nil }
  }

  private func argument(_ label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }

  private var arguments: [LabeledExprSyntax] {
    guard case .argumentList(let list) = attribute.arguments else { return [] }
    return Array(list)
  }
}
