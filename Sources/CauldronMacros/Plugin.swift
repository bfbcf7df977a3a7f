import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// Hands the macros to the compiler.
@main
struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    EntityMacro.self, AttributeMacro.self, RelationshipMacro.self, TransientMacro.self,
    PropertyListMacro.self,
  ]
}
