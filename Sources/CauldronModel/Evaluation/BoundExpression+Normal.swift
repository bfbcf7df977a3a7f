extension BoundExpression {
  /// A value of the expression in the form that both stores and memory give: dates and averages as
  /// reals, decimals by what they are worth. Values that are equal have one form.
  package func normal(_ scalar: AttributeScalar) -> AttributeScalar {
    switch (kind, scalar) {
    case (.real, .integer(let value)):
      Int64(exactly: Double(value)) == value ? .real(Double(value)) : scalar
    // An integer that was beyond 64 bits on the way.
    case (.integer, .real(let value)): Int64(exactly: value).map { .integer($0) } ?? scalar
    case (_, .real(let value)) where value == 0: .real(0)
    case (.decimal, .integer(let value)): .text("\(value)")
    case (.decimal, .real(let value)): ScalarOrder.spelt("\(value)")
    case (.decimal, .text(let text)): ScalarOrder.spelt(text)
    default: scalar
    }
  }
}
