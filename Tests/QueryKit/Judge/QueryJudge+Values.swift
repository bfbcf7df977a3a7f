import CauldronModel
import CauldronQuery
import Foundation

extension QueryJudge {
  /// What an expression is worth for an object.
  func value(_ expression: QueryExpression, _ object: QueryObject) -> Cell {
    switch expression {
    case .value(let scalar): return Cell(scalar)
    case .property(let path): return reached(path.steps[...], object)
    case .arithmetic(let operation, let a, let b):
      let (left, right) = (value(a, object), value(b, object))
      return isDecimal(expression, object.entity)
        ? Self.calculatedInDigits(operation, left, right)
        : Self.calculated(operation, left, right)
    case .function(let function, let argument):
      return Self.called(function, value(argument, object))
    case .aggregate(let aggregate, let path, let inner, let condition):
      let reached = objects(path.steps[...], object)
      // A statement may look at each of them before it knows which are wanted.
      if isEager, let inner { _ = reached.map { value(inner, $0) } }
      let all = reached.filter { target in condition.map { holds($0, target) } ?? true }
      let gathered = gathered(aggregate, inner, all)
      // The sum of nothing.
      return isDecimal(expression, object.entity) ? gathered.inDigits : gathered
    case .conditional(let condition, let a, let b):
      if isEager { _ = [a, b].map { value($0, object) } }
      return value(holds(condition, object) ? a : b, object)
    }
  }

  /// What is gathered from some objects; a count of them gathers nothing of each.
  func gathered(
    _ aggregate: QueryExpression.Aggregate, _ inner: QueryExpression?, _ objects: [QueryObject]
  ) -> Cell {
    guard let inner else { return .whole(Int64(objects.count)) }
    let cells = objects.map { value(inner, $0) }.filter { $0 != .nothing }
    switch aggregate {
    case .count: return .whole(Int64(cells.count))
    case .minimum: return cells.min { Cell.order($0, $1) < 0 } ?? .nothing
    case .maximum: return cells.max { Cell.order($0, $1) < 0 } ?? .nothing
    case .sum: return sum(cells)
    case .average:
      if cells.isEmpty { return .nothing }
      if let exact = Self.exactTotal(cells) {
        return Double("\(exact)").map { .real($0 / Double(cells.count)) } ?? .nothing
      }
      let total = Self.total(cells)
      return Self.number(total / Double(cells.count))
    }
  }

  private func sum(_ cells: [Cell]) -> Cell {
    if let exact = Self.exactTotal(cells) { return Self.kept(exact) }
    let hasReal = cells.contains { if case .real = $0 { true } else { false } }
    if hasReal { return Self.number(Self.total(cells)) }
    var exact: Int128 = 0
    for case .whole(let value) in cells { exact += Int128(value) }
    if let sum = Int64(exactly: exact) { return .whole(sum) }
    notice.hasOverflow = true
    return .nothing
  }

  private static func total(_ cells: [Cell]) -> Double {
    var sum = WideSum()
    for cell in cells {
      switch cell {
      case .whole(let value): sum.add(value)
      case .real(let value): sum.add(value)
      default: break
      }
    }
    return sum.result
  }

  private static func number(_ value: Double) -> Cell { value.isNaN ? .nothing : .real(value) }

  private static func calculated(
    _ operation: QueryExpression.Arithmetic, _ a: Cell, _ b: Cell
  ) -> Cell {
    if case .whole(let x) = a, case .whole(let y) = b {
      let (x, y) = (Int128(x), Int128(y))
      let exact: Int128? =
        switch operation {
        case .add: x + y
        case .subtract: x - y
        case .multiply: x * y
        case .divide: y == 0 ? nil : x / y
        case .remainder: y == 0 ? nil : x % y
        case .bitAnd: x & y
        case .bitOr: x | y
        case .bitXor: x ^ y
        }
      guard let exact else { return .nothing }
      if let value = Int64(exactly: exact) { return .whole(value) }
    }
    guard let x = a.double, let y = b.double else { return .nothing }
    switch operation {
    case .add: return number(x + y)
    case .subtract: return number(x - y)
    case .multiply: return number(x * y)
    case .divide: return y == 0 ? .nothing : number(x / y)
    case .remainder, .bitAnd, .bitOr, .bitXor: return .nothing
    }
  }

  /// What decimals add up to, exactly; nil where there are none.
  private static func exactTotal(_ cells: [Cell]) -> Decimal? {
    var sum: Decimal?
    for case .exact(let number) in cells { sum = (sum ?? 0) + number }
    return sum
  }

  private static func calculatedInDigits(
    _ operation: QueryExpression.Arithmetic, _ a: Cell, _ b: Cell
  ) -> Cell {
    guard case .exact(let x) = a.inDigits, case .exact(let y) = b.inDigits else { return .nothing }
    switch operation {
    case .add: return kept(x + y)
    case .subtract: return kept(x - y)
    case .multiply: return kept(x * y)
    case .divide: return y == 0 ? .nothing : kept(x / y)
    case .remainder, .bitAnd, .bitOr, .bitXor: return .nothing
    }
  }

  /// An integer of 64 bits, or 15 digits.
  private static func kept(_ number: Decimal) -> Cell {
    if number.isNaN { return .nothing }
    if Int64("\(number)") != nil { return .exact(number) }
    let digits = "\(number.magnitude)".filter { $0 != "." }.drop { $0 == "0" }
    let drop = max(0, digits.count - 15)
    // How many digits lie behind the point, or minus the zeros before it.
    let text = "\(number)"
    let behind =
      text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
    var exact = number
    var rounded = Decimal()
    NSDecimalRound(&rounded, &exact, behind - drop, .bankers)
    return .exact(rounded)
  }

  private static func called(_ function: QueryExpression.Function, _ value: Cell) -> Cell {
    switch (function, value) {
    case (.absolute, .whole(.min)): return .real(0x1p63)
    case (.absolute, .whole(let number)): return .whole(abs(number))
    case (.absolute, .real(let number)): return .real(number.magnitude)
    case (.absolute, .exact(let number)): return kept(number < 0 ? -number : number)
    case (.floor, .whole): return value
    case (.floor, .real(let number)): return .real(floor(number))
    case (.floor, .exact(let number)):
      let whole = "\(number)".prefix { $0 != "." }
      guard let cut = Decimal(string: String(whole)) else { return .nothing }
      return .exact(cut > number ? cut - 1 : cut)
    case (.lowercase, .text): return value.string.map { Cell($0.lowercased()) } ?? .nothing
    case (.uppercase, .text): return value.string.map { Cell($0.uppercased()) } ?? .nothing
    case (.length, .text): return value.string.map { .whole(Int64($0.utf16.count)) } ?? .nothing
    case (.absolute, _), (.floor, _), (.lowercase, _), (.uppercase, _), (.length, _):
      return .nothing
    }
  }
}

extension Cell {
  fileprivate var double: Double? {
    switch self {
    case .whole(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
