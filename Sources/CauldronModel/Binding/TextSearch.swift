/// How a condition searches texts.
package struct TextSearch: Sendable, Hashable {
  package let kind: PredicateNode.TextOperator
  package let options: TextOptions

  package init(_ kind: PredicateNode.TextOperator, _ options: TextOptions) {
    self.kind = kind
    self.options = options
  }
}
