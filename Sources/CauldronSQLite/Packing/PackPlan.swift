internal import CCauldron
internal import CSQLite
import CauldronModel

/// What a query selects and how each of its rows is packed; made once for each entity.
///
/// `@unchecked Sendable` because the buffers are filled in `init` and never written again.
final class PackPlan: @unchecked Sendable {
  /// The most columns for which `z_pack` is called: SQLite takes 127 arguments
  /// (https://www.sqlite.org/limits.html#max_function_arg).
  static let functionLimit = 123

  /// The entity by its number in the file, counted from `firstNumber`.
  let entities: UnsafeMutableBufferPointer<PackedEntity>
  let firstNumber: Int64
  /// Whether the third argument is `Z_ENT`, which decides the layout of each row.
  ///
  /// Not where the statement itself asks for one entity.
  let readsEntity: Bool
  let argumentCount: Int
  /// Whether the cells are read one by one, since there are too many for a function.
  let readsColumns: Bool
  /// `SELECT … FROM table`, where each step gives a row.
  let head: String
  /// The same where one step packs all rows, in no particular order.
  let bulkHead: String

  /// The numbers of the file, where they are not those of the model.
  let numbers: FileNumbers
  /// Whether the numbers beside keys are those of entities, and none of a join.
  let namesEntities: Bool

  /// The condition on both ends of a join.
  let joinCondition: String

  /// Plans the packing of rows of the given entities, which share a table.
  /// - Parameter wanted: The indexes of the properties that are packed; nil for all.
  init(_ layouts: [EntityLayout], _ schema: StoreSchema, only wanted: Set<Int>? = nil) {
    let tableSchema = schema.table(of: layouts[0].root)
    var columns: [Int] = []
    var arguments: [Int: Int32] = [:]
    // The rows of a table of one entity are not asked for by its number, which may be wrong.
    readsEntity = layouts.count > 1 || layouts[0].root.family.count == 1
    // A row of which not all is packed is no version of anything.
    let version = wanted == nil ? "Z_OPT" : "0"
    let fixed = readsEntity ? ["Z_PK", version, "Z_ENT"] : ["Z_PK", version]
    for layout in layouts {
      for column in Self.columns(of: schema.map(of: layout), wanted)
      where arguments[column] == nil {
        arguments[column] = Int32(fixed.count + columns.count)
        columns.append(column)
      }
    }
    argumentCount = fixed.count + columns.count
    readsColumns = argumentCount > Self.functionLimit
    let cells = columns.map { column in
      let name = tableSchema.sqlName(column)
      return tableSchema.columns[column].isExternal ? ExternalData.reading(name) : name
    }
    let list = (fixed + cells).joined(separator: ", ")
    let table = " FROM \(schema.source(of: layouts[0]))"
    head = "SELECT \(readsColumns ? list : "z_pack(\(list))")\(table)"
    bulkHead = readsColumns ? head : "SELECT z_pack_all(\(list))\(table)"
    joinCondition =
      tableSchema.columns.indices.filter { tableSchema.columns[$0].role == .toOne }
      .map { "\(tableSchema.sqlName($0)) = ?" }.joined(separator: " AND ")
    numbers = schema.numbers
    namesEntities = !layouts[0].isJoin
    let first = layouts.map(schema.number).min() ?? 0
    let last = layouts.map(schema.number).max() ?? 0
    firstNumber = Int64(first)
    entities = .allocate(capacity: Int(last - first) + 1)
    entities.initialize(
      repeating: PackedEntity(
        numberWord: -1, leadingWords: 0, slotCount: 0, hasGaps: false,
        steps: .init(start: nil, count: 0)))
    for layout in layouts {
      entities[Int(schema.number(of: layout) - first)] = Self.entity(
        of: layout, in: schema, arguments: arguments)
    }
  }

  private static func columns(of map: StoreSchema.ColumnMap, _ wanted: Set<Int>?) -> [Int] {
    guard let wanted else {
      return map.properties.compactMap { $0 } + map.companions.values.sorted()
    }
    return wanted.sorted().compactMap { map.properties[$0] }
  }

  deinit {
    for entity in entities { entity.steps.deallocate() }
    entities.deallocate()
  }

  private static func entity(
    of layout: EntityLayout, in schema: StoreSchema, arguments: [Int: Int32]
  ) -> PackedEntity {
    let map = schema.map(of: layout)
    var steps: [PackStep] = []
    for property in layout.properties {
      guard let column = map.properties[property.index], let argument = arguments[column],
        let form = property.form
      else { continue }
      steps.append(
        PackStep(
          .init(form), argument: argument, slot: property.index, property: property.index,
          range: layout.isJoin
            ? JoinKey.fit : property.attributeType?.integerRange ?? .min ... .max))
      if let slot = property.entitySlot,
        let argument = map.companions[slot].flatMap({ arguments[$0] })
      {
        steps.append(
          PackStep(
            .entityKey, argument: argument, slot: slot, property: property.index,
            fallback: property.destination?.entity.number ?? 0,
            range: property.destination?.entity.familyNumbers ?? 0...0))
      }
      if let slot = property.orderSlot,
        let argument = map.companions[slot].flatMap({ arguments[$0] })
      {
        steps.append(
          PackStep(.companion, argument: argument, slot: slot, property: property.index))
      }
    }
    let buffer = UnsafeMutableBufferPointer<PackStep>.allocate(capacity: steps.count)
    _ = buffer.initialize(from: steps)
    return PackedEntity(
      numberWord: cauldron_row_pair(UInt32(layout.number), 0), leadingWords: layout.leadingWords,
      slotCount: layout.slotCount, hasGaps: steps.count < layout.slotCount, steps: buffer)
  }
}

/// The plans of every entity of a store: alone, and with its subentities.
struct PackPlans: Sendable {
  private let single: [PackPlan]
  private let families: [PackPlan]

  init(_ schema: StoreSchema) {
    let single = schema.model.layouts.map { PackPlan([$0], schema) }
    self.single = single
    families = zip(schema.model.layouts, single).map { layout, plan in
      layout.family.count == 1 ? plan : PackPlan(layout.family.map(\.entity), schema)
    }
  }

  /// The plan for rows of exactly one entity.
  func single(_ layout: EntityLayout) -> PackPlan { single[Int(layout.number) - 1] }

  /// The plan for rows of an entity and its subentities.
  func family(_ layout: EntityLayout) -> PackPlan { families[Int(layout.number) - 1] }
}

/// The numbers of packed rows in the order of a result; most results come as they were packed.
struct PackOrder {
  /// How many numbers at the beginning are 0, 1, 2 and so on.
  private(set) var ascending = 0
  /// The numbers after those.
  private(set) var rest: [Int] = []

  @inline(__always)
  mutating func append(_ number: Int) {
    if number == ascending, rest.isEmpty { ascending += 1 } else { rest.append(number) }
  }
}

/// How one cell of a result becomes one slot of a packed row.
typealias PackStep = cauldron_step

extension cauldron_step {
  enum Kind: UInt8 {
    case integer
    /// 0 or 1; other integers count as 1.
    case boolean
    case real
    case text
    case decimal
    case blob
    case uuid
    /// The order key beside a to-one; 0 where the file has none.
    case companion
    /// The entity number beside a to-one; where the file has none that is possible, the fallback.
    case entityKey

    /// Whether the slot belongs to another one, and is never nil.
    var isCompanion: Bool { self == .companion || self == .entityKey }

    /// How values of a form are packed and bound.
    init(_ form: ValueForm) {
      self =
        switch form {
        case .integer: .integer
        case .boolean: .boolean
        case .real: .real
        case .text: .text
        case .decimal: .decimal
        case .blob, .encoded: .blob
        case .uuid: .uuid
        }
    }
  }

  var kind: Kind { Kind(rawValue: conversion) ?? .blob }

  /// - Parameter range: The integers that the slot may hold.
  init(
    _ kind: Kind, argument: Int32, slot: Int, property: Int, fallback: Int32 = 0,
    range: ClosedRange<Int64> = .min ... .max
  ) {
    let expected: Int32 =
      switch kind {
      case .integer, .boolean: SQLITE_INTEGER
      case .real: SQLITE_FLOAT
      case .text: SQLITE_TEXT
      case .blob: SQLITE_BLOB
      // Every cell needs a conversion or a check.
      case .decimal, .uuid, .companion, .entityKey: 0
      }
    self.init(
      conversion: kind.rawValue, takes_null: kind.isCompanion ? 0 : 1,
      expected: Int16(expected), argument: argument, slot: Int32(slot),
      property: Int32(property), fallback: fallback, low: range.lowerBound,
      width: UInt64(bitPattern: range.upperBound &- range.lowerBound))
  }

  /// Whether the slot may hold an integer.
  func takes(_ integer: Int64) -> Bool { UInt64(bitPattern: integer &- low) <= width }
}

/// The steps for the rows of one concrete entity.
struct PackedEntity {
  /// The entity's number, shifted to its place in word 1; negative where no such entity is expected.
  let numberWord: Int64
  let leadingWords: Int
  let slotCount: Int
  /// Whether some slots have no column and must be cleared.
  let hasGaps: Bool
  let steps: UnsafeMutableBufferPointer<PackStep>

  /// The entity's number in the model.
  var number: Int32 { Int32(bitPattern: cauldron_row_upper(numberWord)) }
}

/// The entities of the running query, copied out of its plan so that a row costs no reference counting.
struct PlannedEntities {
  let entities: UnsafeMutableBufferPointer<PackedEntity>
  private let firstNumber: Int64
  let readsEntity: Bool
  /// The model's numbers of entities by those of the file; empty where they are the same.
  private let models: UnsafeMutableBufferPointer<Int32>
  /// Whether the numbers beside keys have to be translated.
  let translatesIDs: Bool

  /// Those of no query.
  init() {
    entities = .init(start: nil, count: 0)
    firstNumber = 0
    readsEntity = false
    models = .init(start: nil, count: 0)
    translatesIDs = false
  }

  /// Those of a plan, which must outlive them.
  init(_ plan: PackPlan) {
    entities = plan.entities
    firstNumber = plan.firstNumber
    readsEntity = plan.readsEntity
    models = plan.numbers.models
    translatesIDs = plan.namesEntities && !plan.numbers.areSame
  }

  /// Whether rows of an entity are expected.
  @inline(__always)
  func knows(_ number: Int64) -> Bool {
    number >= firstNumber && number - firstNumber < entities.count
      && entities[position(of: number)].numberWord >= 0
  }

  /// Where an entity stands that is known.
  @inline(__always)
  func position(of number: Int64) -> Int { Int(number - firstNumber) }

  /// The model's number of an entity, given that of the file; 0 where there is none.
  @inline(__always)
  func modelNumber(_ number: Int64) -> Int64 {
    if models.isEmpty { return number }
    return number > 0 && number < models.count ? Int64(models[Int(number)]) : 0
  }
}
