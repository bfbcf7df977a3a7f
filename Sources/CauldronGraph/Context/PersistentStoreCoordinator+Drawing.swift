import CauldronLedger
import CauldronModel

extension PersistentStoreCoordinator {
  /// The contexts as a tree with one line each, and the saves under way.
  package var drawing: [String] {
    let nodes = ledger.nodes.all
    let children = Dictionary(grouping: nodes.filter { $0.parent != nil }) {
      $0.parent.map { ObjectIdentifier($0) }
    }
    var lines: [String] = []
    func draw(_ siblings: [LedgerNode], _ indent: String) {
      let shown = siblings.compactMap(\.core).sorted { $0.name < $1.name }
      // As many as a reader looks at.
      let rest = shown.count - 12
      for (index, core) in shown.prefix(12).enumerated() {
        let isLast = index == shown.count - 1
        lines.append("\(indent)\(isLast ? "└" : "├") \(line(of: core))")
        draw(children[ObjectIdentifier(core.node)] ?? [], indent + (isLast ? "  " : "│ "))
      }
      if rest > 0 { lines.append("\(indent)└ and \(rest) more") }
    }
    draw(nodes.filter { $0.parent == nil }, "")
    return lines + saves.lines
  }

  private func line(of core: ContextCore) -> String {
    let count = core.label.unsavedCount
    return "\(core.name): \(core.label.queue)\(count == 0 ? "" : ", \(count) unsaved")"
  }
}
