import CauldronModel
import CauldronQuery
import TestSupport
import Testing

@Suite("Conditions joined by AND, OR and NOT")
struct PredicateJunctionTests {
  private let person: EntityLayout
  private let model: ManagedObjectModel

  init() throws {
    model = try TestModels.people()
    person = model.entity("Person")
  }

  private static func isOld(_ age: Int) -> PredicateNode {
    .comparison(key: "age", .greater, .integer(Int64(age)))
  }

  private static func has(_ age: Int) -> PredicateNode {
    .comparison(key: "age", .equal, .integer(Int64(age)))
  }

  @Test("A chain of 100,000 is one flat list, from either end", arguments: [true, false])
  func chains(isFromTheLeft: Bool) throws {
    var chain = Self.isOld(0)
    for age in 1..<100_000 {
      chain = .or(isFromTheLeft ? [chain, Self.isOld(age)] : [Self.isOld(age), chain])
    }
    guard case .joined(let junction) = chain else {
      Issue.record("no junction")
      return
    }
    #expect(junction.conditions.count == 100_000)
    guard case .or(let terms) = try chain.bound(to: person) else {
      Issue.record("bound to something else")
      return
    }
    #expect(terms.count == 100_000)
  }

  @Test("A chain that is continued twice keeps both ends apart")
  func branches() {
    let stem = PredicateNode.and([Self.isOld(1), Self.isOld(2)])
    let first = PredicateNode.and([stem, Self.isOld(3)])
    let second = PredicateNode.and([stem, Self.isOld(4)])
    #expect(first == .and([Self.isOld(1), Self.isOld(2), Self.isOld(3)]))
    #expect(second == .and([Self.isOld(1), Self.isOld(2), Self.isOld(4)]))
    #expect(stem == .and([Self.isOld(1), Self.isOld(2)]))
    #expect(first != second && first.hashValue != second.hashValue)
  }

  @Test("Negations cancel, however many there are")
  func negations() {
    let pair = PredicateNode.or([Self.isOld(1), Self.isOld(2)])
    for node in [Self.isOld(1), pair, .constant(true)] {
      var negated = node
      for _ in 0..<100_000 { negated = .not(negated) }
      #expect(negated == node)
      #expect(PredicateNode.not(negated) != node)
    }
  }

  @Test("Equalities of one property become one list, and so do their opposites")
  func lists() throws {
    let values = Set((1...3).map { AttributeScalar.integer($0) })
    let any = PredicateNode.or([
      Self.has(1), .comparison(key: "name", .equal, .text("x")), Self.has(2),
      .isIn(key: "age", [.integer(2), .integer(3)]),
    ])
    guard case .or(let terms) = try any.bound(to: person),
      case .isIn(let property, values) = terms[0]
    else {
      Issue.record("no list")
      return
    }
    #expect(terms.count == 2 && property.name == "age")
    let none = PredicateNode.and((1...3).map { .not(Self.has($0)) })
    guard case .not(.isIn(_, values)) = try none.bound(to: person),
      case .not(.isIn(_, values)) = try PredicateNode.not(.or((1...3).map(Self.has)))
        .bound(to: person)
    else {
      Issue.record("no list of opposites")
      return
    }
  }

  @Test("Conditions that exclude one another stay apart")
  func exclusive() throws {
    let both = PredicateNode.and([Self.has(1), Self.has(2)])
    guard case .and(let terms) = try both.bound(to: person) else {
      Issue.record("bound to something else")
      return
    }
    #expect(terms.count == 2)
  }

  @Test("Levels beyond the limit are refused with a typed error, and up to it they hold")
  func levels() throws {
    func nested(_ levels: Int) -> PredicateNode {
      (1..<levels).reduce(.and([Self.isOld(0), Self.isOld(1)])) { inner, level in
        .not(.and([Self.isOld(level), inner]))
      }
    }
    #expect(throws: Never.self) { try nested(500).bound(to: person) }
    for levels in [501, 100_000] {
      let node = PredicateNode.or([Self.isOld(0), .not(nested(levels))])
      let error = #expect(throws: CauldronError.self) { try node.bound(to: person) }
      #expect(error?.code == .queryTooDeep && error?.entity == "Person")
      #expect(error?.message.contains("more than 500 levels") == true)
    }
  }
}
