internal import CSQLite
import CauldronModel

extension RowConnection {
  /// The keys of one statement; lists are filled up with NULL, which is no key, so that a few
  /// statements serve all lengths.
  private static let chunks = [512, 128, 16]

  /// One row by key: the path of every fault. The statement is found by number, not by text.
  func row(
    _ key: Int64, _ entity: EntityLayout, _ plan: PackPlan, _ schema: StoreSchema?
  ) throws -> HeldRow? {
    if entity.isJoin { return try join(key, entity, plan) }
    let statement = try pointRead(entity.number) {
      "\(plan.head) WHERE Z_PK = ?\(Self.condition(entity, schema))"
    }
    try statement.bind(1, key)
    if plan.readsColumns {
      return try fetch(statement, plan).first
    }
    defer { statement.reset() }
    packer.pointee.begin(plan)
    return try statement.step() ? packer.pointee.finishOne() : nil
  }

  /// Many rows by key, in several statements.
  func rows(
    _ keys: [Int64], _ entity: EntityLayout, _ plan: PackPlan, _ schema: StoreSchema
  ) throws -> RowSet {
    if entity.isJoin {
      return try keys.reduce(into: RowSet()) { result, key in
        if let row = try join(key, entity, plan) { result.append(row) }
      }
    }
    var result = RowSet()
    var rest = Set(keys).sorted()[...]
    let condition = Self.condition(entity, schema)
    let chunks = Self.chunks.filter { $0 <= greatestKeyCount }
    while !rest.isEmpty {
      let size = chunks.last { $0 >= rest.count } ?? chunks[0]
      let marks = Array(repeating: "?", count: size).joined(separator: ",")
      let statement = try statement("\(plan.bulkHead) WHERE Z_PK IN (\(marks))\(condition)")
      statement.clearBindings()
      for (index, key) in rest.prefix(size).enumerated() {
        try statement.bind(Int32(index + 1), key)
      }
      result.append(contentsOf: try fetchAll(statement, plan))
      rest = rest.dropFirst(size)
    }
    return result
  }

  /// The most keys that a statement has room for; there is always room for a few.
  private var greatestKeyCount: Int {
    max(Self.chunks.last ?? 1, room.parameters)
  }

  /// A row of a join table, which has no key but its ends'.
  private func join(_ key: Int64, _ join: EntityLayout, _ plan: PackPlan) throws -> HeldRow? {
    let statement = try pointRead(join.number) { "\(plan.head) WHERE \(plan.joinCondition)" }
    let (first, second) = JoinKey.ends(key)
    try statement.bind(1, first)
    try statement.bind(2, second)
    return try fetch(statement, plan).first
  }

  private static func condition(_ entity: EntityLayout, _ schema: StoreSchema?) -> String {
    schema?.entityCondition(entity, includesSubentities: true, " AND ") ?? ""
  }
}
