import CauldronModel
import CauldronStore

/// What `Z_PRIMARYKEY` says: the number, the parent and the last key of each entity.
struct EntityNumbers {
  struct Line {
    let number: Int64
    let name: String
    let parent: Int64
    /// The last key that was given away; nil where that is not written.
    let last: Int64?
  }

  let connection: Connection
  let lines: [Line]

  init(_ connection: Connection) throws {
    self.connection = connection
    let statement = try Statement(
      connection.handle,
      "SELECT Z_ENT, Z_NAME, ifnull(Z_SUPER, 0), Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    var lines: [Line] = []
    while try statement.step() {
      lines.append(
        Line(
          number: statement.integer(0), name: statement.text(1), parent: statement.integer(2),
          last: statement.isNull(3) ? nil : statement.integer(3)))
    }
    self.lines = lines
  }

  /// Where the entities of a model have no row, or one below another entity's.
  func differences(from schema: StoreSchema) -> [StoreFinding] {
    let byNumber = Dictionary(lines.map { ($0.number, $0) }) { first, _ in first }
    return schema.model.entityLayouts.compactMap { layout in
      let number = schema.number(of: layout)
      func finding(_ what: String) -> StoreFinding {
        StoreFinding(
          .entityNumber, "\(layout.name) has the number \(number), and Z_PRIMARYKEY \(what).",
          entity: layout.name)
      }
      guard let line = byNumber[Int64(number)] else { return finding("has no row for it") }
      let parent = layout.superentity.map { Int64(schema.number(of: $0)) } ?? 0
      return line.parent == parent ? nil : finding("puts it below \(line.parent), not \(parent)")
    }
  }

  /// Where the last key of a table is behind its keys.
  /// - Parameter table: The table of a root entity; nil for other entities, and where it is not known.
  func countersBehind(_ table: (Line) -> String?) throws -> [StoreFinding] {
    try lines.compactMap { line in
      guard let table = table(line),
        let greatest = try connection.integer("SELECT max(Z_PK) FROM \(table)"),
        line.last.map({ $0 < greatest }) ?? true
      else { return nil }
      let last = line.last.map { "\($0)" } ?? "nothing"
      return StoreFinding(
        .keyCounter,
        "The greatest key of \(line.name) is \(greatest), and Z_PRIMARYKEY has \(last) as the last"
          + " one, so that a new object would get the key of another.", entity: line.name)
    }
  }

  /// The table of Core Data's history that has a number of its own.
  static func historyTable(_ line: Line) -> String? {
    [16001: "ACHANGE", 16002: "ATRANSACTION", 16003: "ATRANSACTIONSTRING"][line.number]
  }
}

/// Which row of `Z_PRIMARYKEY` is that of which entity of a model.
extension EntityNumbers {
  /// The names in the rows of Core Data's history, whose numbers are its own.
  private static let history: [Int64: String] = [
    16001: "CHANGE", 16002: "TRANSACTION", 16003: "TRANSACTIONSTRING",
  ]

  /// The file's number of each entity in the order of the model; nil where there is no row for it.
  ///
  /// Core Data's migration keeps the old name of an entity that was renamed: of the rows whose names are
  /// those of no entity it has the one that its former names tell, or else its place.
  func numbers(for model: ManagedObjectModel) -> [Int64?] {
    let own = lines.filter { Self.history[$0.number] != $0.name }
    let rows = Dictionary(own.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let named = model.entityLayouts.map { rows[$0.name] }
    var found: [Int64?] = named.map { $0.map { own[$0].number } }
    let taken = Set(named.compactMap(\.self))
    var left = own.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    if left.isEmpty { return found }
    for (index, layout) in model.entityLayouts.enumerated() where found[index] == nil {
      let names = layout.description.originalNames
      let row = left.firstIndex { names.contains($0.name) }
      found[index] = row.map { left.remove(at: $0).number }
    }
    for (index, layout) in model.entityLayouts.enumerated() where found[index] == nil {
      let parent = layout.superentity.map { found[Int($0.number) - 1] ?? 0 } ?? 0
      let siblings = left.indices.filter { left[$0].parent == parent }
      let row = siblings.first { left[$0].number == Int64(layout.number) }
      let isSole = siblings.count == 1 && !model.hasOther(than: layout, lacking: found)
      found[index] = (row ?? (isSole ? siblings.first : nil)).map { left.remove(at: $0).number }
    }
    return found
  }

  /// Why the numbers cannot be used; nil where they can.
  func mismatch(with model: ManagedObjectModel) -> SchemaCheck.Mismatch? {
    var known: [Int64: String] = [:]
    for (layout, number) in zip(model.entityLayouts, numbers(for: model)) {
      guard let number else {
        return SchemaCheck.Mismatch(
          what: "Z_PRIMARYKEY has no row for \(layout.name)", hint: SchemaCheck.missingRow)
      }
      if number < 1 {
        return SchemaCheck.Mismatch(
          what: "Z_PRIMARYKEY gives \(layout.name) the number \(number), and numbers count from 1")
      }
      if number > FileNumbers.greatest {
        return SchemaCheck.Mismatch(
          what: "Z_PRIMARYKEY gives \(layout.name) the number \(number); the greatest possible is"
            + " \(FileNumbers.greatest)", code: .storeUnsupported, hint: SchemaCheck.otherProgram)
      }
      if let mismatch = counterMismatch(number, layout) { return mismatch }
      if let other = known.updateValue(layout.name, forKey: number) {
        return SchemaCheck.Mismatch(
          what: "Z_PRIMARYKEY gives \(other) and \(layout.name) the number \(number)")
      }
    }
    return nil
  }

  /// Keys up to which a counter may go, so that none that is counted on from it is beyond 64 bits.
  private static let counters = 0...(Int64.max - 1 << 32)

  /// What is wrong with the counter of an entity's keys.
  private func counterMismatch(_ number: Int64, _ layout: EntityLayout) -> SchemaCheck.Mismatch? {
    guard layout.superentity == nil, let line = lines.first(where: { $0.number == number }),
      let last = line.last, !Self.counters.contains(last)
    else { return nil }
    return SchemaCheck.Mismatch(
      what: "Z_PRIMARYKEY has \(last) as the last key of \(layout.name), from which no key can be"
        + " counted on", hint: "Set Z_MAX to the greatest Z_PK of its table, or restore a copy.")
  }

  /// Where a counter is at an end of what 64 bits hold.
  var exhausted: [StoreFinding] {
    lines.compactMap { line in
      guard let last = line.last, !Self.counters.contains(last) else { return nil }
      return StoreFinding(
        .keyCounter,
        "Z_PRIMARYKEY has \(last) as the last key of \(line.name), from which no key can be counted"
          + " on.", entity: line.name)
    }
  }

  /// The same with a number for each entity: an entity without a usable one gets the number of its
  /// place, or a free one.
  func complete(for model: ManagedObjectModel) -> [Int32] {
    let found = numbers(for: model)
    var used: Set<Int64> = []
    let usable = found.map { number in
      number.flatMap { 1...FileNumbers.greatest ~= $0 && used.insert($0).inserted ? $0 : nil }
    }
    return zip(model.entityLayouts, usable).map { layout, number in
      if let number { return Int32(number) }
      var free = Int64(layout.number)
      while !used.insert(free).inserted { free += 1 }
      return Int32(free)
    }
  }
}

extension ManagedObjectModel {
  /// Whether another entity below the same one has no number.
  fileprivate func hasOther(than layout: EntityLayout, lacking found: [Int64?]) -> Bool {
    zip(entityLayouts, found).contains { other, number in
      number == nil && other !== layout && other.superentity === layout.superentity
    }
  }
}

/// The numbers (`Z_ENT`) by which a file tells the rows of entities apart.
///
/// In memory an entity has the number of its place in the model. A file has those that the program gave
/// that made it: `Z_PRIMARYKEY` says which. Where both are the same nothing is translated.
///
/// `@unchecked Sendable` because the tables are filled in `init` and never written again.
final class FileNumbers: @unchecked Sendable {
  /// The greatest number of an entity; tables of rows are as long as the greatest one.
  static let greatest: Int64 = 65535

  /// The file's number of each entity, by its number in the model; empty where they are the same.
  let files: UnsafeMutableBufferPointer<Int32>
  /// The model's number of each entity, by its number in the file; 0 where the file has none.
  let models: UnsafeMutableBufferPointer<Int32>
  private let entityCount: Int

  /// The numbers of the model itself, which new stores get.
  init(_ model: ManagedObjectModel) {
    entityCount = model.entityLayouts.count
    files = .init(start: nil, count: 0)
    models = .init(start: nil, count: 0)
  }

  /// - Parameter numbers: The file's number of each entity in the order of the model; all different,
  ///   and from 1 to `greatest`.
  init(_ numbers: [Int32]) {
    entityCount = numbers.count
    let isSame = zip(numbers, 1...).allSatisfy { Int($0) == $1 }
    files = .allocate(capacity: isSame ? 0 : numbers.count + 1)
    models = .allocate(capacity: isSame ? 0 : Int(numbers.max() ?? 0) + 1)
    files.initialize(repeating: 0)
    models.initialize(repeating: 0)
    guard !isSame else { return }
    for (index, number) in numbers.enumerated() {
      files[index + 1] = number
      models[Int(number)] = Int32(index + 1)
    }
  }

  deinit {
    files.deallocate()
    models.deallocate()
  }

  /// Whether the file has the numbers of the model.
  var areSame: Bool { files.isEmpty }

  /// The file's number of an entity; a join has none in the file, and keeps its own.
  subscript(layout: EntityLayout) -> Int32 {
    layout.isJoin || areSame ? layout.number : files[Int(layout.number)]
  }

  /// The model's number of an entity of the file; nil where the model has no such entity.
  func model(_ number: Int64) -> Int32? {
    if areSame { return 1...Int64(max(1, entityCount)) ~= number ? Int32(number) : nil }
    guard number > 0, number < models.count, models[Int(number)] > 0 else { return nil }
    return models[Int(number)]
  }
}

extension StoreSchema {
  /// The number of an entity in the file.
  func number(of layout: EntityLayout) -> Int32 { numbers[layout] }

  /// The entity that has a number in the file.
  func layout(fileNumber: Int64) -> EntityLayout? {
    numbers.model(fileNumber).flatMap { model.layout(number: $0) }
  }

  /// The numbers of entities as SQL takes a list of them.
  func numberList(_ layouts: some Sequence<EntityLayout>) -> String {
    layouts.map { "\(number(of: $0))" }.joined(separator: ", ")
  }

  /// The numbers of an entity and all below it, as SQL takes a list of them.
  func familyNumberList(_ layout: EntityLayout) -> String {
    numberList(layout.family.map(\.entity))
  }

  /// The condition that a number is one of a family; a range where the numbers follow one another.
  func includes(_ number: String, in layout: EntityLayout) -> String {
    "\(number) IN (\(familyNumberList(layout)))"
  }
}
