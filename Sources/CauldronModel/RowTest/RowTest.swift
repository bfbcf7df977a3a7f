import Foundation

/// A predicate compiled for many rows.
///
/// Each instruction says where to go on when it holds and where when not, so that AND, OR and NOT
/// cost nothing at run time. Instructions hold no references: a test neither retains nor allocates.
package struct RowTest: Sendable {
  var code: [Instruction] = []
  var operands = Operands()
  var entry = Self.accept

  /// The two ends of a program.
  static let accept: Int32 = -1
  static let reject: Int32 = -2

  /// Compiles a predicate.
  package init(_ predicate: BoundPredicate) {
    entry = compile(predicate, onTrue: Self.accept, onFalse: Self.reject)
  }

  /// Whether the predicate holds for a row.
  package func matches(_ row: RowPointer) -> Bool {
    var next = entry
    while next >= 0 {
      let instruction = code[Int(next)]
      next = holds(instruction, row) ? instruction.onTrue : instruction.onFalse
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
