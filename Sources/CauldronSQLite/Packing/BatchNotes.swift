internal import CSQLite
import CauldronModel

/// What the functions of a batch are told and note while its statement runs: `z_keep` looks at each new
/// value, and `z_next` notes each row and gives its next version.
///
/// So one pass over the table does it all, and no key is looked for twice.
final class BatchNotes {
  /// What a calculated value may be.
  struct Limit {
    let form: ValueForm
    let isRequired: Bool
    let isFloat: Bool
    let range: ClosedRange<Int64>
    /// The integer that stands for what cannot be stored.
    let unstorable: Int64?

    init(_ property: PropertyLayout) {
      form = property.form ?? .blob
      isRequired = property.isRequired
      isFloat = property.attributeType == .float
      range = property.attributeType?.integerRange ?? .min ... .max
      unstorable =
        if case .unstorable(let mark) = property.doubt { mark.slot } else { nil }
    }
  }

  /// The limits of the values, by their number in the statement.
  fileprivate(set) var limits: [Limit] = []
  /// Whether a value or a version could not be kept.
  fileprivate(set) var hasRefused = false
  fileprivate var number: Int64 = 0
  fileprivate var keys: [Int64] = []
  private var others: [Int64: [Int64]] = [:]

  /// Forgets all; a statement follows.
  func begin(_ limits: [Limit]) {
    self.limits = limits
    hasRefused = false
    keys = []
    others = [:]
  }

  /// The keys of the rows by the number of their entity, in ascending order.
  func take() -> [Int64: [Int64]] {
    if !keys.isEmpty { others[number, default: []] += keys }
    keys = []
    defer { others = [:] }
    return others.mapValues { list in
      zip(list, list.dropFirst()).allSatisfy { $0 < $1 } ? list : list.sorted()
    }
  }

  @inline(__always)
  fileprivate func note(_ key: Int64, number: Int64) {
    if number != self.number { turn(to: number) }
    keys.append(key)
  }

  private func turn(to number: Int64) {
    if !keys.isEmpty { others[self.number, default: []] += keys }
    keys = []
    self.number = number
  }
}

extension RowConnection {
  /// Registers the functions of batches and those of conditions, at the first batch.
  func prepareBatches() throws -> BatchNotes {
    if let batchNotes { return batchNotes }
    let notes = BatchNotes()
    try register("z_next", count: 3, notes: notes) { context, notes, values in
      let version = sqlite3_value_int64(values[2])
      guard version >= 0, version < Int64(RowPointer.greatestVersion) else {
        return notes.refuse(context)
      }
      notes.note(sqlite3_value_int64(values[0]), number: sqlite3_value_int64(values[1]))
      sqlite3_result_int64(context, version + 1)
    }
    try register("z_keep", count: 2, notes: notes) { context, notes, values in
      notes.keep(values[1], within: notes.limits[Int(sqlite3_value_int64(values[0]))], in: context)
    }
    try registerQueryFunctions()
    batchNotes = notes
    return notes
  }

  private typealias Body = (
    OpaquePointer, BatchNotes, UnsafeMutablePointer<OpaquePointer?>
  ) -> Void

  private func register(
    _ name: String, count: Int32, notes: BatchNotes, as body: @escaping Body
  ) throws {
    let box = Unmanaged.passRetained(NotedFunction(notes, body))
    let code = sqlite3_create_function_v2(
      handle, name, count, SQLITE_UTF8 | SQLITE_DIRECTONLY, box.toOpaque(),
      { context, _, values in
        guard let context, let values, let data = sqlite3_user_data(context) else { return }
        Unmanaged<NotedFunction>.fromOpaque(data)._withUnsafeGuaranteedRef {
          $0.body(context, $0.notes, values)
        }
      }, nil, nil, { data in data.map { Unmanaged<NotedFunction>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, handle) }
  }
}

private final class NotedFunction {
  let notes: BatchNotes
  let body: (OpaquePointer, BatchNotes, UnsafeMutablePointer<OpaquePointer?>) -> Void

  init(
    _ notes: BatchNotes,
    _ body: @escaping (OpaquePointer, BatchNotes, UnsafeMutablePointer<OpaquePointer?>) -> Void
  ) {
    self.notes = notes
    self.body = body
  }
}

extension BatchNotes {
  fileprivate func refuse(_ context: OpaquePointer) {
    hasRefused = true
    sqlite3_result_error_code(context, SQLITE_CONSTRAINT)
  }

  /// Gives a value back as the column keeps it, or refuses it.
  fileprivate func keep(_ value: OpaquePointer?, within limit: Limit, in context: OpaquePointer) {
    let type = sqlite3_value_type(value)
    if type == SQLITE_NULL {
      return limit.isRequired ? refuse(context) : sqlite3_result_null(context)
    }
    switch (limit.form, type) {
    case (.integer, SQLITE_INTEGER):
      let number = sqlite3_value_int64(value)
      guard limit.range.contains(number), number != limit.unstorable else { return refuse(context) }
      sqlite3_result_int64(context, number)
    case (.boolean, SQLITE_INTEGER):
      sqlite3_result_int64(context, sqlite3_value_int64(value) == 0 ? 0 : 1)
    case (.real, SQLITE_INTEGER), (.real, SQLITE_FLOAT):
      let number = sqlite3_value_double(value)
      sqlite3_result_double(context, limit.isFloat ? Double(Float(number)) : number)
    case (.text, SQLITE_TEXT), (.blob, SQLITE_BLOB), (.encoded, SQLITE_BLOB), (.uuid, SQLITE_BLOB),
      (.decimal, SQLITE_INTEGER), (.decimal, SQLITE_FLOAT), (.decimal, SQLITE_TEXT):
      sqlite3_result_value(context, value)
    default: refuse(context)
    }
  }
}
