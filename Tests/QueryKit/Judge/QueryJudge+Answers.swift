import Cauldron
import CauldronModel
import CauldronQuery

extension QueryJudge {
  /// The objects that a question is about.
  private func rows(_ question: QueryQuestion) -> [QueryObject] {
    world.all(question.entity, includesSubentities: question.includesSubentities)
  }

  /// The objects that are found, in their order and without a window.
  func objects(_ question: QueryQuestion) -> [ManagedObjectID] {
    sorted(rows(question).filter { holds(question.condition, $0) }, question.sort).map(\.id)
  }

  private func sorted(_ rows: [QueryObject], _ sort: [SortKey]) -> [QueryObject] {
    let keys = rows.map { row in sort.map { fold(value($0.expression, row), $0.options) } }
    return ordered(keys, sort).map { rows[$0] }
  }

  /// The objects that lines are made of, by their keys.
  private func members(_ question: QueryQuestion) -> [QueryObject] {
    let found = rows(question).filter { holds(question.condition, $0) }
    guard let window = question.objectWindow else { return found }
    let ids = sorted(found, window.sortKeys).dropFirst(window.offset)
      .prefix(window.limit ?? .max).map(\.id)
    return found.filter { ids.contains($0.id) }
  }

  /// The positions of lines in the order of their keys; of equal ones the first comes first.
  private func ordered(_ keys: [[Cell]], _ sort: [SortKey]) -> [Int] {
    keys.indices.sorted { a, b in
      for (place, key) in keys[a].enumerated() {
        let order = Cell.order(key, keys[b][place])
        let isUp = place < sort.count ? sort[place].ascending : true
        if order != 0 { return isUp ? order < 0 : order > 0 }
      }
      return a < b
    }
  }

  /// The lines that are found, in their order and without a window.
  func lines(_ question: QueryQuestion) -> [[Cell]] {
    let found = members(question)
    guard let groups = question.groups else { return plainLines(question, found) }
    var members: [[Cell]: [QueryObject]] = groups.isEmpty ? [[]: []] : [:]
    for row in found { members[groups.map { value($0, row).plain }, default: []].append(row) }
    var lines: [(keys: [Cell], columns: [Cell])] = []
    for rows in members.values {
      if let having = question.having, !holdsGroup(having, rows) { continue }
      let order = question.sort.map { fold(groupValue($0.expression, rows), $0.options) }
      lines.append(
        (order + groups.map { groupValue($0, rows) }, question.columns.map { groupValue($0, rows) })
      )
    }
    return ordered(lines.map(\.keys), question.sort).map { lines[$0].columns }
  }

  private func plainLines(_ question: QueryQuestion, _ found: [QueryObject]) -> [[Cell]] {
    var lines: [(keys: [Cell], columns: [Cell])] = []
    var seen: Set<[Cell]> = []
    for row in found {
      let columns = question.columns.map { value($0, row) }
      if question.isDistinct, !seen.insert(columns.map(\.plain)).inserted { continue }
      let keys = question.sort.map { fold(value($0.expression, row), $0.options) }
      lines.append((keys + (question.isDistinct ? columns : []), columns))
    }
    return ordered(lines.map(\.keys), question.sort).map { lines[$0].columns }
  }

  private func groupValue(_ expression: QueryExpression, _ rows: [QueryObject]) -> Cell {
    if case .aggregate(let aggregate, let path, let inner, _) = expression, path.steps.isEmpty {
      return gathered(aggregate, inner, rows)
    }
    return rows.first.map { value(expression, $0) } ?? Self.constant(expression)
  }

  /// Of no row a value alone is known.
  private static func constant(_ expression: QueryExpression) -> Cell {
    if case .value(let scalar) = expression { Cell(scalar) } else { .nothing }
  }

  private func holdsGroup(_ having: PredicateNode, _ rows: [QueryObject]) -> Bool {
    guard case .comparison(let a, let comparison, let b, _) = having else { return true }
    return Self.holds(groupValue(a, rows), comparison, groupValue(b, rows))
  }

  /// Whether any sum that an answer may have looked at is beyond 64 bits.
  func mayOverflow(_ question: QueryQuestion) -> Bool {
    var judge = QueryJudge(world: world)
    judge.isEager = true
    var all = question
    all.condition = .constant(true)
    all.having = nil
    all.limit = nil
    all.objectWindow?.limit = nil
    all.objectWindow?.offset = 0
    for row in judge.rows(question) { _ = judge.holds(question.condition, row) }
    _ = question.columns.isEmpty ? judge.objects(all).count : judge.lines(all).count
    if let having = question.having {
      _ = judge.holdsGroup(having, judge.rows(question))
    }
    // Groups may be of any of the rows.
    return judge.notice.hasOverflow || question.groups != nil
  }
}
