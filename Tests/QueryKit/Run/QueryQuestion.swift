import Cauldron
import CauldronModel
import CauldronQuery

/// What is asked of a context.
struct QueryQuestion {
  var entity: String
  /// Who is asked: 0 for what is committed, 3 for the leaf.
  var level: Int
  var condition: PredicateNode
  var includesSubentities = true
  var sort: [SortKey] = []
  var limit: Int?
  var offset = 0
  /// How many objects are read at once, where they are also read page by page.
  var pageSize: Int?
  /// What each line has; none where objects are asked for.
  var columns: [QueryExpression] = []
  var isDistinct = false
  /// What the rows of a line have in common, where lines are groups.
  var groups: [QueryExpression]?
  var having: PredicateNode?
  /// Which of the objects lines are made of; nil for all.
  var objectWindow: ObjectWindow?

  var request: FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = condition
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = level > 0
    request.sortKeys = sort
    request.limit = limit
    request.offset = offset
    return request
  }

  var valueRequest: ValueRequest<ManagedObject> {
    var values = ValueRequest(request)
    values.columns = columns
    values.isDistinct = isDistinct
    values.groups = groups
    values.having = having
    values.window = objectWindow
    return values
  }

  /// The part of all answers that limit and offset leave.
  func window<T>(_ all: [T]) -> [T] { Array(all.dropFirst(offset).prefix(limit ?? .max)) }
}

extension QueryQuestion: CustomStringConvertible {
  var description: String {
    let alone = includesSubentities ? "" : " alone"
    var text = "\(entity)\(alone) of level \(level) where \(condition)"
    if !columns.isEmpty { text += " select\(isDistinct ? " distinct" : "") \(columns)" }
    if let groups { text += " group by \(groups)" }
    if let having { text += " having \(having)" }
    if let window = objectWindow {
      text += " of\(Self.text(window.sortKeys)) \(window.limit ?? -1) from \(window.offset)"
    }
    text += Self.text(sort)
    if let pageSize { text += " in pages of \(pageSize)" }
    if let limit { text += " limit \(limit)" }
    return offset == 0 ? text : text + " offset \(offset)"
  }

  private static func text(_ sort: [SortKey]) -> String {
    sort.map { key in
      " sort \(key.expression) \(key.ascending ? "up" : "down") \(key.options.rawValue)"
    }.joined()
  }
}
