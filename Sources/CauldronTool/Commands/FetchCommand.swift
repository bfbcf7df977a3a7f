package import ArgumentParser
import CauldronModel
import CauldronQuery
import CauldronSQLite

/// `cauldron fetch STORE ENTITY`.
package struct FetchCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Prints the objects of an entity that a condition selects.",
    discussion: """
      The condition is a format string of Core Data: --where 'age >= 18 AND ANY skills.name \
      BEGINSWITH[cd] "sw"'. The order is keys between commas, each with :YES or :NO if it likes: --sort \
      name:NO,age. Each object has its key, its attributes, and the keys of what its to-one \
      relationships lead to. The model is the store's own copy. Reads only; the file is not changed.
      """)

  @OptionGroup var argument: StoreArgument

  @Argument(help: "The entity; objects of its subentities belong to it.")
  var entity: String

  @Option(name: .customLong("where"), help: "Which objects; all by default.")
  var condition: String?

  @Option(help: "The order; that of the keys by default.")
  var sort: String?

  @Option(help: "The most objects; all by default.")
  var limit: Int?

  @Option(help: "How many objects to leave out at the start.")
  var offset = 0

  @Option(help: "How to write them: table, json or csv.")
  var format = Format.table

  /// How objects are written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
  }

  package init() {}

  package var json: Bool { format == .json }

  package func perform(_ console: Console) throws -> Int32 {
    var query = OutsideQuery(argument.url, entity: entity)
    query.predicate = try condition.map { try PredicateNode(format: $0) }
    query.sortKeys = try sort.map { try SortKey.terms($0) } ?? []
    query.limit = limit
    query.offset = offset
    try query.run { model, entity, rows in
      let report = ObjectReport(model: model, entity: entity, rows: rows)
      switch format {
      case .table: report.writeTable(console)
      case .json: report.writeJSON(console)
      case .csv: report.writeCSV(console)
      }
    }
    return ToolStatus.good
  }
}
