import SwiftDiagnostics
import SwiftSyntax

/// A problem at a place of the source, with what would repair it.
struct Finding {
  let node: Syntax
  let problem: EntityDiagnostic
  let fixIts: [FixIt]

  init(_ node: some SyntaxProtocol, _ problem: EntityDiagnostic, fixIts: [FixIt] = []) {
    self.node = Syntax(node)
    self.problem = problem
    self.fixIts = fixIts
  }

  var diagnostic: Diagnostic { Diagnostic(node: node, message: problem, fixIts: fixIts) }
}
