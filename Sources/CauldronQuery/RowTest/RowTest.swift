package import CauldronModel
import Foundation

/// A predicate compiled for many rows.
///
/// Each instruction says where to go on when it holds and where when not, so that AND, OR and NOT
/// cost nothing at run time. Instructions hold no references: a test neither retains nor allocates.
package struct RowTest: Sendable {
  var code: [Instruction] = []
  var operands = Operands()
  package var entry = Self.accept

  /// The two ends of a program.
  static let accept: Int32 = -1
  package static let reject: Int32 = -2

  /// Compiles a predicate.
  package init(_ predicate: BoundPredicate) {
    entry = compile(predicate, onTrue: Self.accept, onFalse: Self.reject)
  }

  /// Whether the predicate holds for a row.
  package func matches(_ row: RowPointer) -> Bool {
    var next = entry
    while next >= 0 {
      let instruction = code[Int(next)]
      next = holds(instruction, for: row) ? instruction.onTrue : instruction.onFalse
    }
    return next == Self.accept
  }

  struct Instruction: Sendable {
    let test: Test
    let value: RowValue
    let onTrue: Int32
    let onFalse: Int32
  }

  /// What is asked of one value; all but `isNull` are false for nil.
  enum Test: Sendable {
    case isNull
    case integer(Orders, Int64)
    case integerAndReal(Orders, Double)
    case real(Orders, Double)
    case decimal(Orders, Int)
    case bytes(Orders, Span)
    case beginsWith(Span)
    case contains(Span)
    case endsWith(Span)
    case integerIn(Span)
    case realIn(Span)
    case decimalIn(Span)
    case bytesIn(Span)
  }

  /// The outcomes of a comparison for which a test holds.
  struct Orders: OptionSet, Sendable {
    let rawValue: UInt8
    static let less = Orders(rawValue: 1)
    static let equal = Orders(rawValue: 2)
    static let greater = Orders(rawValue: 4)

    func holds(_ order: Int) -> Bool { rawValue & (1 << UInt8(order + 1)) != 0 }
  }

  /// A stretch of one of the operand arrays.
  struct Span: Sendable {
    let start: Int
    let count: Int
  }

  /// The values that instructions compare with; sets are sorted.
  struct Operands: Sendable {
    var integers: [Int64] = []
    var reals: [Double] = []
    var decimals: [DecimalNumber] = []
    var bytes: [UInt8] = []
    var spans: [Span] = []
  }
}

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

extension RowTest {
  /// The test for membership in a set.
  mutating func membership(_ property: PropertyLayout, _ values: Set<AttributeScalar>) -> Test {
    switch RowValue(property).form {
    case .integer:
      return .integerIn(span(Set(values.compactMap(Self.integer))))
    case .real:
      let start = operands.reals.count
      operands.reals += Set(values.compactMap(Self.real)).sorted()
      return .realIn(Span(start: start, count: operands.reals.count - start))
    case .decimal:
      let start = operands.decimals.count
      operands.decimals += Set(values.compactMap(Self.decimal)).sorted()
      return .decimalIn(Span(start: start, count: operands.decimals.count - start))
    case .bytes:
      let all = values.compactMap(Self.bytes).sorted { $0.lexicographicallyPrecedes($1) }
      let spans = all.map { span($0) }
      let start = operands.spans.count
      operands.spans += spans
      return .bytesIn(Span(start: start, count: spans.count))
    }
  }

  mutating func span(_ keys: Set<Int64>) -> Span {
    let start = operands.integers.count
    operands.integers += keys.sorted()
    return Span(start: start, count: keys.count)
  }

  mutating func span(_ bytes: [UInt8]) -> Span {
    let start = operands.bytes.count
    operands.bytes += bytes
    return Span(start: start, count: bytes.count)
  }

  private static func integer(_ scalar: AttributeScalar) -> Int64? {
    switch scalar {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    case .null, .text, .blob: nil
    }
  }

  private static func real(_ scalar: AttributeScalar) -> Double? {
    switch scalar {
    case .integer(let value): Double(value)
    case .real(let value): value.isNaN ? nil : value
    case .null, .text, .blob: nil
    }
  }

  private static func decimal(_ scalar: AttributeScalar) -> DecimalNumber? {
    if case .text(let text) = scalar { DecimalNumber(text) } else { nil }
  }

  private static func bytes(_ scalar: AttributeScalar) -> [UInt8]? {
    switch scalar {
    case .text(let text): Array(text.utf8)
    case .blob(let data): Array(data)
    case .null, .integer, .real: nil
    }
  }
}

extension BoundPredicate {
  /// Whether the predicate holds for a row.
  ///
  /// This compiles the predicate anew; for many rows make one `QueryMatcher` or `RowTest`.
  package func matches(_ row: RowPointer) -> Bool {
    RowTest(self).matches(row)
  }
}
