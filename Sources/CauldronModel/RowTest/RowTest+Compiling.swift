import Foundation

extension RowTest {
  /// Appends the code of a node; answers where it begins.
  ///
  /// The code of what follows exists already, so that jumps are known and lists are read backwards.
  mutating func compile(_ node: BoundPredicate, onTrue: Int32, onFalse: Int32) -> Int32 {
    switch node {
    case .constant(let value):
      return value ? onTrue : onFalse
    case .not(let node):
      return compile(node, onTrue: onFalse, onFalse: onTrue)
    case .and(let nodes):
      return nodes.reversed().reduce(onTrue) { compile($1, onTrue: $0, onFalse: onFalse) }
    case .or(let nodes):
      return nodes.reversed().reduce(onFalse) { compile($1, onTrue: onTrue, onFalse: $0) }
    case .comparison(let property, .notEqual, let scalar):
      return compile(.comparison(property, .equal, scalar), onTrue: onFalse, onFalse: onTrue)
    default:
      guard let (property, test) = leaf(node) else { return onFalse }
      let value = property.map(RowValue.init) ?? RowValue.key
      code.append(Instruction(test: test, value: value, onTrue: onTrue, onFalse: onFalse))
      return Int32(code.count - 1)
    }
  }

  /// The test of a node without children; nil where it holds for no row.
  private mutating func leaf(_ node: BoundPredicate) -> (PropertyLayout?, Test)? {
    switch node {
    case .isNull(let property):
      return (property, .isNull)
    case .comparison(let property, let comparison, let scalar):
      return self.comparison(property, orders(comparison), scalar).map { (property, $0) }
    case .text(let property, let search, let text):
      return (property, self.search(search, span(Array(text.utf8))))
    case .isIn(let property, let values):
      return (property, membership(property, values))
    case .refersTo(let property, let keys):
      return (property, .integerIn(span(keys)))
    case .isSelf(let keys):
      return (nil, .integerIn(span(keys)))
    case .isAfter(let key):
      return (nil, .integer(.greater, key))
    case .constant, .and, .or, .not, .exists, .compare, .search, .matches, .member:
      // What a row alone does not tell is asked of a `RowEvaluation`.
      return nil
    }
  }

  private func orders(_ comparison: PredicateNode.ComparisonOperator) -> Orders {
    switch comparison {
    case .equal: .equal
    case .notEqual: [.less, .greater]
    case .less: .less
    case .lessOrEqual: [.less, .equal]
    case .greater: .greater
    case .greaterOrEqual: [.greater, .equal]
    }
  }

  private mutating func comparison(
    _ property: PropertyLayout, _ orders: Orders, _ scalar: AttributeScalar
  ) -> Test? {
    switch (RowValue(property).form, scalar) {
    case (.integer, .integer(let value)):
      return .integer(orders, value)
    case (.integer, .real(let value)) where !value.isNaN:
      return .integerAndReal(orders, value)
    case (.real, .integer(let value)):
      return .real(orders, Double(value))
    case (.real, .real(let value)) where !value.isNaN:
      return .real(orders, value)
    case (.decimal, .text(let text)):
      guard let number = DecimalNumber(text) else { return nil }
      operands.decimals.append(number)
      return .decimal(orders, operands.decimals.count - 1)
    case (.bytes, .text(let text)):
      return .bytes(orders, span(Array(text.utf8)))
    case (.bytes, .blob(let data)):
      return .bytes(orders, span(Array(data)))
    default:
      return nil
    }
  }

  private func search(_ search: PredicateNode.TextOperator, _ text: Span) -> Test {
    switch search {
    case .beginsWith: .beginsWith(text)
    case .endsWith: .endsWith(text)
    // Patterns are bound to expressions.
    case .contains, .like, .matches: .contains(text)
    }
  }
}
