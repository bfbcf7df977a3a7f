internal import CSQLite
import CauldronModel
import CauldronQuery
import Foundation

/// The functions of conditions: what memory does with values, called from SQL.
extension RowConnection {
  /// Registers them, once.
  func registerQueryFunctions() throws {
    try register("z_fold", count: 2) { context, values in
      guard let text = values[0].text else { return sqlite3_result_null(context) }
      let options = TextOptions(rawValue: Int(sqlite3_value_int(values[1])))
      setResult(of: context, to: .text(TextFold(options)(text)))
    }
    try register("z_collate", count: 2) { context, values in collate(context, values: values) }
    try register("z_section", count: 3) { context, values in section(context, values: values) }
    try register("z_call", count: 2) { context, values in
      guard let name = values[1].text, let function = QueryExpression.Function(rawValue: name)
      else { return sqlite3_result_null(context) }
      setResult(of: context, to: ScalarArithmetic.result(function, of: values[0].scalar))
    }
    try register("z_whole", count: 3) { context, values in
      guard let name = values[2].text, let operation = QueryExpression.Arithmetic(rawValue: name)
      else { return sqlite3_result_null(context) }
      setResult(
        of: context, to: ScalarArithmetic.result(operation, values[0].scalar, values[1].scalar))
    }
    try register("z_find", count: 3) { context, values in find(context, values: values) }
    try register("z_match", count: 3) { context, values in match(context, values: values) }
    try registerWhole("z_sum") { cauldron_whole_sum($0) }
    try registerWhole("z_average") { cauldron_whole_average($0) }
    try registerGathering("z_total", isDecimal: false) { finish($0, with: .sum) }
    try registerGathering("z_mean", isDecimal: false) { finish($0, with: .average) }
    try registerDecimals()
  }

  /// Registers what is gathered from integers.
  private func registerWhole(
    _ name: String, finish: @escaping @convention(c) (OpaquePointer?) -> Void
  ) throws {
    let code = sqlite3_create_function_v2(
      handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, nil,
      { cauldron_whole_step($0, $1, $2) }, finish, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }

  private func registerDecimals() throws {
    try register("z_exact", count: 3) { context, values in
      guard let name = values[2].text, let operation = QueryExpression.Arithmetic(rawValue: name)
      else { return sqlite3_result_null(context) }
      let result = DecimalArithmetic.result(operation, values[0].digits, values[1].digits)
      setResult(of: context, to: result)
    }
    try register("z_exact", count: 2) { context, values in
      guard let name = values[1].text, let function = QueryExpression.Function(rawValue: name)
      else { return sqlite3_result_null(context) }
      setResult(of: context, to: DecimalArithmetic.result(function, of: values[0].digits))
    }
    try registerGathering("z_exact_total", isDecimal: true) { finish($0, with: .sum) }
    try registerGathering("z_exact_mean", isDecimal: true) { finish($0, with: .average) }
  }

  private typealias Values = UnsafeMutablePointer<OpaquePointer?>

  private func register(
    _ name: String, count: Int32,
    as body: @escaping (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Void
  ) throws {
    let box = Unmanaged.passRetained(FunctionBody(body))
    let code = sqlite3_create_function_v2(
      handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      box.toOpaque(),
      { context, _, values in
        guard let context, let values, let data = sqlite3_user_data(context) else { return }
        Unmanaged<FunctionBody>.fromOpaque(data).takeUnretainedValue().body(context, values)
      }, nil, nil, { data in data.map { Unmanaged<FunctionBody>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }

  private func registerGathering(
    _ name: String, isDecimal: Bool, finish: @escaping @convention(c) (OpaquePointer?) -> Void
  ) throws {
    // Whether there is any user data tells whether the numbers are decimals.
    let mark = isDecimal ? UnsafeMutableRawPointer(handle) : nil
    let code = sqlite3_create_function_v2(
      handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, mark, nil,
      { context, _, values in
        guard let context, let values, let gathered = gathering(context) else { return }
        let isDecimal = sqlite3_user_data(context) != nil
        gathered.takeUnretainedValue().values.append(
          isDecimal ? values[0].digits : values[0].scalar)
      }, finish, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

/// What a function does.
private final class FunctionBody {
  let body: (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Void

  init(_ body: @escaping (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Void) {
    self.body = body
  }
}

/// The values of one group.
private final class Gathering {
  var values: NumberGatherer

  init(isDecimal: Bool) { values = NumberGatherer(isDecimal: isDecimal) }
}

/// The numbers of a group, from which both a sum and an average can be made.
private struct NumberGatherer {
  private var sum: ScalarGatherer
  private var average: ScalarGatherer

  init(isDecimal: Bool) {
    sum = ScalarGatherer(.sum, isDecimal: isDecimal)
    average = ScalarGatherer(.average, isDecimal: isDecimal)
  }

  mutating func append(_ value: AttributeScalar) {
    sum.add(value)
    average.add(value)
  }

  func result(_ aggregate: QueryExpression.Aggregate) throws -> AttributeScalar {
    try aggregate == .sum ? sum.result() : average.result()
  }
}

/// The group that a call is for, made at the first one.
private func gathering(_ context: OpaquePointer) -> Unmanaged<Gathering>? {
  guard
    let place = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))
  else { return nil }
  let slot = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  if slot.pointee == nil {
    let gathering = Gathering(isDecimal: sqlite3_user_data(context) != nil)
    slot.pointee = Unmanaged.passRetained(gathering).toOpaque()
  }
  return slot.pointee.map { Unmanaged<Gathering>.fromOpaque($0) }
}

private func finish(_ context: OpaquePointer?, with aggregate: QueryExpression.Aggregate) {
  guard let context else { return }
  let gathered = gathering(context)?.takeRetainedValue() ?? Gathering(isDecimal: false)
  do {
    setResult(of: context, to: try gathered.values.result(aggregate))
  } catch {
    sqlite3_result_error(context, SQLiteFailure.overflowText, -1)
  }
}

private func collate(_ context: OpaquePointer, values: UnsafeMutablePointer<OpaquePointer?>) {
  guard let text = values[0].text, let locale = values[1].text else {
    return sqlite3_result_null(context)
  }
  // It was made once when the query was bound, so that it can be.
  let collator: Collator? = kept(in: context, for: 1) { Collator(locale: locale) }
  setResult(of: context, to: collator.map { .blob($0.key(of: text)) } ?? .null)
}

private func section(_ context: OpaquePointer, values: UnsafeMutablePointer<OpaquePointer?>) {
  let (map, isOfTexts) = kept(in: context, for: 2) {
    let number = Int(sqlite3_value_int(values[1]))
    let transform = SectionTransform(number: number, place: values[2].text ?? "")
    return (SectionMap(transform), transform.isOfTexts)
  }
  // What a column of texts has is a text, whatever it was stored as.
  let scalar = isOfTexts ? values[0].text.map { .text($0) } ?? .null : values[0].scalar
  setResult(of: context, to: map(scalar))
}

private func find(_ context: OpaquePointer, values: UnsafeMutablePointer<OpaquePointer?>) {
  guard let text = values[0].text, let part = values[1].text else {
    return sqlite3_result_null(context)
  }
  let needle = kept(in: context, for: 1) {
    TextNeedle(part, TextSearch(number: Int(sqlite3_value_int(values[2]))))
  }
  sqlite3_result_int(context, needle.isFound(in: text) ? 1 : 0)
}

private func match(_ context: OpaquePointer, values: UnsafeMutablePointer<OpaquePointer?>) {
  guard let text = values[0].text, let source = values[1].text else {
    return sqlite3_result_null(context)
  }
  let options = TextOptions(rawValue: Int(sqlite3_value_int(values[2])))
  // It was compiled once when the condition was made, so that it can be.
  let pattern: RegularPattern? = kept(in: context, for: 1) { try? RegularPattern(source, options) }
  sqlite3_result_int(context, pattern?.matches(text) == true ? 1 : 0)
}

/// What was made of a parameter, for as long as the statement runs.
private func kept<Value>(
  in context: OpaquePointer, for argument: Int32, _ make: () -> Value
) -> Value {
  if let known = sqlite3_get_auxdata(context, argument),
    let box = Unmanaged<AnyObject>.fromOpaque(known).takeUnretainedValue() as? Kept<Value>
  {
    return box.value
  }
  let value = make()
  let box = Unmanaged<AnyObject>.passRetained(Kept(value))
  sqlite3_set_auxdata(
    context, argument, box.toOpaque(),
    { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
  return value
}

private final class Kept<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension OpaquePointer? {
  /// The bytes of a text; nil for NULL.
  fileprivate var bytes: UnsafeRawBufferPointer? {
    guard sqlite3_value_type(self) != SQLITE_NULL, let start = sqlite3_value_text(self) else {
      return nil
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(self)))
  }

  fileprivate var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  fileprivate var scalar: AttributeScalar {
    switch sqlite3_value_type(self) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(self))
    case SQLITE_FLOAT: .real(sqlite3_value_double(self))
    case SQLITE_TEXT: .text(text ?? "")
    default: .null
    }
  }

  /// A number of a column of decimals, written out.
  fileprivate var digits: AttributeScalar {
    if case .real = scalar { text.map { .text($0) } ?? .null } else { scalar }
  }
}

extension SQLiteFailure {
  /// What the functions say of a sum that is too large.
  fileprivate static let overflowText = "query.overflow"

  /// Whether a sum of integers was too large.
  var isOverflow: Bool { message == Self.overflowText }
}
