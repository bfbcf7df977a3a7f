import Foundation

extension PropertyLayout {
  /// What a row keeps of a value that was calculated; nil where the property cannot have it.
  package func kept(_ scalar: AttributeScalar) -> AttributeScalar? {
    switch (form, scalar) {
    case (_, .null): return .null
    case (.integer, .integer(let value)):
      return attributeType?.integerRange?.contains(value) ?? true ? scalar : nil
    case (.boolean, .integer(let value)): return .integer(value == 0 ? 0 : 1)
    case (.real, .integer(let value)): return real(Double(value))
    case (.real, .real(let value)): return real(value)
    case (.decimal, .integer(let value)): return .text("\(value)")
    case (.text, .text), (.decimal, .text), (.blob, .blob), (.encoded, .blob): return scalar
    case (.uuid, .blob(let data)): return data.count == 16 ? scalar : nil
    default: return nil
    }
  }

  /// As near as the type comes to it; NaN is nil.
  private func real(_ value: Double) -> AttributeScalar {
    if value.isNaN { return .null }
    return .real(attributeType == .float ? Double(Float(value)) : value)
  }

  /// Whether values of a kind are values of the property.
  package func takes(_ kind: BoundExpression.Kind) -> Bool {
    switch (BoundExpression.Kind(self), kind) {
    case (_, .nothing): true
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real): true
    case (.decimal, .text), (.decimal, .integer): true
    case (let own, let other): own == other
    }
  }
}
