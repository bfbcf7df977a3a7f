import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import CauldronMacros

/// A source with its macros expanded, and what the macros said about it.
struct Expansion {
  /// A fix-it, and the source after it was applied.
  struct Fixed: Equatable {
    let message: String
    let source: String
  }

  /// The expanded source.
  let text: String
  /// The problems, as "line:column message".
  let messages: [String]
  /// The fix-its of all problems in order, each applied to the original source by itself.
  let fixed: [Fixed]

  /// - Parameter isKnownEntity: Whether the class is a `ManagedEntity` by its superclass, so that the
  ///   compiler asks for no conformance.
  init(_ source: String, isKnownEntity: Bool = false) {
    let file: SourceFileSyntax = "\(raw: source)"
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
    let expanded = file.expand(
      macroSpecs: Self.specs(isKnownEntity ? [] : ["ManagedEntity"]),
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
      }, indentationWidth: .spaces(2))
    text = expanded.description
    messages = context.diagnostics.map { Self.message($0, in: context) }
    fixed = context.diagnostics.flatMap(\.fixIts).map { fixIt in
      Fixed(message: fixIt.message.message, source: Self.apply(fixIt, to: source, in: context))
    }
  }

  private static func specs(_ conformances: [TypeSyntax]) -> [String: MacroSpec] {
    [
      "Entity": MacroSpec(type: EntityMacro.self, conformances: conformances),
      "Attribute": MacroSpec(type: AttributeMacro.self),
      "Relationship": MacroSpec(type: RelationshipMacro.self),
      "Transient": MacroSpec(type: TransientMacro.self),
      "Unique": MacroSpec(type: PropertyListMacro.self),
      "Index": MacroSpec(type: PropertyListMacro.self),
    ]
  }

  private static func message(
    _ diagnostic: Diagnostic, in context: BasicMacroExpansionContext
  ) -> String {
    let place = context.location(
      for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "test.swift")
    return "\(place.line):\(place.column) \(diagnostic.message)"
  }

  /// Applies the edits from the end to the start, so that earlier positions stay valid.
  private static func apply(
    _ fixIt: FixIt, to source: String, in context: BasicMacroExpansionContext
  ) -> String {
    var bytes = Array(source.utf8)
    for edit in fixIt.changes.compactMap({ edit($0, in: context) }).sorted(by: { $0.0 > $1.0 }) {
      bytes.replaceSubrange(edit.0..<edit.1, with: edit.2.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func edit(
    _ change: FixIt.Change, in context: BasicMacroExpansionContext
  ) -> (Int, Int, String)? {
    guard case .replaceText(let range, let text, let node) = change else { return nil }
    let start = context.location(for: range.lowerBound, anchoredAt: node, fileName: "test.swift")
    let end = context.location(for: range.upperBound, anchoredAt: node, fileName: "test.swift")
    return (start.offset, end.offset, text)
  }
}
