import Cauldron
import CauldronModel
import CauldronQuery

extension QueryMaker {
  /// A question of any kind.
  mutating func question() -> QueryQuestion {
    let entity = random.pick(schema.names.sorted())
    // Most conditions are small: the deep ones take as much time as all others.
    let depth = random.pick([0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6])
    var question = QueryQuestion(
      entity: entity, level: random.pick([0, 1, 2, 3, 3, 3]), condition: condition(entity, depth))
    question.includesSubentities = !random.once(in: 6)
    switch random.below(8) {
    case 0: addColumns(&question)
    case 1: addGroups(&question)
    default:
      question.sort = (0..<random.below(3)).map { _ in sortKey(entity) }
      if random.once(in: 4) { question.pageSize = 1 + random.below(4) }
    }
    if !question.columns.isEmpty, random.once(in: 3) {
      var window = ObjectWindow()
      // Without an order it is open which objects are in it.
      window.sortKeys = (0...random.below(2)).map { _ in sortKey(entity) }
      if !random.once(in: 4) { window.limit = random.below(9) }
      if random.once(in: 2) { window.offset = random.below(5) }
      question.objectWindow = window
    }
    if random.once(in: 2) { question.limit = random.below(9) }
    if random.once(in: 3) { question.offset = random.below(5) }
    return question
  }

  private mutating func sortKey(_ entity: String) -> SortKey {
    let ascending = random.once(in: 2)
    if random.once(in: 5) { return SortKey(text(entity, 1), ascending: ascending, options()) }
    return SortKey(key(entity), ascending: ascending)
  }

  private mutating func addColumns(_ question: inout QueryQuestion) {
    question.columns = (0..<(1 + random.below(3))).map { _ in key(question.entity) }
    question.isDistinct = random.once(in: 2)
    if question.isDistinct {
      guard random.once(in: 2) else { return }
      question.sort = [SortKey(random.pick(question.columns), ascending: random.once(in: 2))]
    } else {
      question.sort = (0..<random.below(2)).map { _ in sortKey(question.entity) }
    }
  }

  private mutating func addGroups(_ question: inout QueryQuestion) {
    let entity = question.entity
    let groups = (0..<random.below(3)).map { _ in key(entity) }
    question.groups = groups
    question.columns = groups + (0..<(1 + random.below(3))).map { _ in gathered(entity) }
    if random.once(in: 2) {
      question.having = .comparison(
        gathered(entity), comparison(), .value(Self.number(&random)), [])
    }
    if random.once(in: 3) {
      let key = random.once(in: 2) ? gathered(entity) : random.pick(question.columns)
      question.sort = [SortKey(key, ascending: random.once(in: 2))]
    }
  }

  /// What is gathered from the rows of a group.
  private mutating func gathered(_ entity: String) -> QueryExpression {
    let own = PropertyPath(steps: [])
    switch random.below(6) {
    case 0: return .aggregate(.count, of: own, nil)
    case 1: return .aggregate(.count, of: own, text(entity, 1))
    case 2: return .aggregate(.sum, of: own, summand(entity, 1))
    case 3: return .aggregate(.average, of: own, number(entity, 1))
    case 4: return .aggregate(.minimum, of: own, number(entity, 1))
    default: return .aggregate(.maximum, of: own, number(entity, 1))
    }
  }
}
