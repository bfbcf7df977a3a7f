import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore

/// Compares what contexts, SQL and memory answer with what the judge does.
struct QueryCheck {
  private let stage: QueryStage
  private let judges: [QueryJudge]

  init(_ stage: QueryStage) {
    self.stage = stage
    judges = stage.worlds.map { QueryJudge(world: $0) }
  }

  /// What is not as it should be; nil where everything is.
  func difference(_ question: QueryQuestion) -> String? {
    judges[question.level].notice.hasOverflow = false
    do {
      let difference = try compare(question)
      return difference
    } catch let error as CauldronError where error.code == .queryOverflow {
      let mayOverflow = judges[0...question.level].contains { $0.mayOverflow(question) }
      return mayOverflow ? nil : "threw \(error)"
    } catch {
      return "threw \(error)"
    }
  }

  private func compare(_ question: QueryQuestion) throws -> String? {
    let context = stage.contexts[max(question.level, 1) - 1]
    if !question.columns.isEmpty {
      let found = try context.performAndWait { try $0.fetchValues(question.valueRequest) }
      return compareLines(question, found)
    }
    let (ids, objects, count) = try context.performAndWait { context in
      let request = question.request
      return (
        try context.fetchObjectIDs(request), try context.fetch(request).map(\.objectID),
        try context.count(for: request)
      )
    }
    let judge = judges[question.level]
    let all = judge.objects(question)
    if judge.notice.hasOverflow { return nil }
    let wanted = question.window(all)
    if count != wanted.count { return "counted \(count), not \(wanted.count)" }
    if let difference = difference(ids, all, question) { return difference }
    if let difference = difference(objects, all, question) { return "objects: \(difference)" }
    if let difference = try comparePages(question, all) { return "pages: \(difference)" }
    return try compareStore(question)
  }

  /// The objects as they come page by page, each behind the one before.
  private func comparePages(
    _ question: QueryQuestion, _ all: [ManagedObjectID]
  ) throws -> String? {
    guard let size = question.pageSize else { return nil }
    let context = stage.contexts[max(question.level, 1) - 1]
    let found = try context.performAndWait { context in
      var pages = FetchPages<ManagedObject>(question.request, size: size)
      var ids: [ManagedObjectID] = []
      while let page = try pages.next(in: context.context) { ids += page.objectIDs }
      return ids
    }
    return difference(found, all, question)
  }

  private func difference(
    _ found: [ManagedObjectID], _ all: [ManagedObjectID], _ question: QueryQuestion
  ) -> String? {
    let wanted = question.window(all)
    if question.sort.isEmpty {
      // Which ones are in the window is open.
      let isRight =
        found.count == wanted.count && Set(found).count == found.count
        && Set(found).isSubset(of: all)
      return isRight ? nil : "found \(found.map(\.key)) of \(all.map(\.key))"
    }
    return found == wanted ? nil : "found \(found.map(\.key)), not \(wanted.map(\.key))"
  }

  /// The committed rows, by SQL and by evaluation of everything.
  private func compareStore(_ question: QueryQuestion) throws -> String? {
    let all = judges[0].objects(question)
    if judges[0].notice.hasOverflow {
      judges[0].notice.hasOverflow = false
      return nil
    }
    guard let entity = stage.model.layout(named: question.entity) else { return "no entity" }
    let coordinator = stage.stack.coordinator
    let number = coordinator.storeNumber
    var query = StoreQuery(entity: entity)
    query.includesSubentities = question.includesSubentities
    let reader = try coordinator.store.reader()
    defer { reader.finish() }
    try reader.pin()
    let rows = try reader.fetch(query)
    query.predicate = try question.condition.bound(to: entity, storeNumber: number)
    query.sort = try question.sort.map { try $0.bound(to: entity, number) }
    let inMemory = try rows.withRows { rows in
      let matcher = GraphMatcher(query, StoredRowSource(reader))
      return RowSet(try matcher.sort(matcher.select(Array(rows))), among: RowMemory())
        .ids(number)
    }
    if inMemory != all { return "memory found \(inMemory.map(\.key)), not \(all.map(\.key))" }
    query.limit = question.limit
    query.offset = question.offset
    let inSQL = try reader.ids(query, storeNumber: number)
    if question.sort.isEmpty {
      return difference(inSQL, all, question).map { "the store \($0)" }
    }
    let wanted = question.window(all)
    return inSQL == wanted ? nil : "SQL found \(inSQL.map(\.key)), not \(wanted.map(\.key))"
  }

  private func compareLines(_ question: QueryQuestion, _ found: [[AttributeScalar]]) -> String? {
    let judge = judges[question.level]
    let lines = judge.lines(question)
    if judge.notice.hasOverflow { return nil }
    let decimals = question.columns.map { judge.isDecimal($0, question.entity) }
    let seen = found.map { line in
      zip(line, decimals).map { Cell($0, isDecimal: $1).plain }
    }
    let wanted = question.window(lines).map { $0.map(\.plain) }
    return seen == wanted ? nil : "found \(seen), not \(wanted)"
  }
}
