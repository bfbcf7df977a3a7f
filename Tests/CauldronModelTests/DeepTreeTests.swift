import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Trees that are built by hand may be of any depth.
@Suite("Trees that are far too deep")
struct DeepTreeTests {
  /// So many that whoever follows them by calling itself runs out of stack, and no more than the runtime
  /// itself, which frees them so, can free.
  private static let levels = 10_000

  /// An expression in which others lie.
  private static func expression(
    _ levels: Int, _ more: (QueryExpression) -> QueryExpression
  ) -> QueryExpression {
    (0..<levels).reduce(.property("age")) { inner, _ in more(inner) }
  }

  private static let forms: [@Sendable (QueryExpression) -> QueryExpression] = [
    { .arithmetic(.add, $0, .value(.integer(1))) },
    { .arithmetic(.add, .value(.integer(1)), $0) },
    { .function(.absolute, $0) },
    { .aggregate(.maximum, of: "employees", $0) },
    { .conditional(.constant(true), $0, .value(.null)) },
    { .conditional(.comparison($0, .equal, .value(.null), []), .value(.null), .value(.null)) },
    {
      .aggregate(
        .count, of: "employees", nil, where: .isIn($0, [.integer(1)], []))
    },
  ]

  private static let nodes: [@Sendable (PredicateNode) -> PredicateNode] = [
    { .quantified(.any, "employees", $0) },
    { .comparison(.conditional($0, .value(.null), .value(.null)), .equal, .value(.null), []) },
    { .and([.constant(true), .quantified(.all, "employees", .or([.constant(false), $0]))]) },
  ]

  private func check(_ node: PredicateNode, _ same: PredicateNode) throws {
    let person = try TestModels.people().entity("Person")
    let error = #expect(throws: CauldronError.self) { try node.bound(to: person) }
    #expect(error?.code == .queryTooDeep && error?.entity == "Person")
    #expect("\(node)".utf8.count < 1_000)
    #expect(node == same && node.hashValue == same.hashValue)
    #expect(node != .constant(true) && Set([node, same]).count == 1)
    let refused = #expect(throws: CauldronError.self) { try JSONEncoder().encode(node) }
    #expect(refused?.code == .queryTooDeep)
  }

  @Test("Expressions of any form are refused, and the program goes on")
  func expressions() throws {
    for form in Self.forms {
      func make() -> QueryExpression { Self.expression(Self.levels, form) }
      let expression = make()
      let node = PredicateNode.comparison(expression, .equal, .value(.integer(1)), [])
      try check(node, .comparison(make(), .equal, .value(.integer(1)), []))
      #expect(expression == make() && expression.hashValue == make().hashValue)
      #expect("\(expression)".utf8.count < 1_000)
      let person = try TestModels.people().entity("Person")
      let error = #expect(throws: CauldronError.self) { try expression.bound(to: person) }
      #expect(error?.code == .queryTooDeep)
    }
  }

  @Test("Conditions of any form are refused, and the program goes on")
  func conditions() throws {
    for form in Self.nodes {
      func make() -> PredicateNode {
        (0..<Self.levels).reduce(.constant(false)) { inner, _ in form(inner) }
      }
      try check(make(), make())
    }
  }

  @Test("Trees that are equal but for one value far below are told apart")
  func differences() {
    func make(_ value: Int64) -> QueryExpression {
      (0..<Self.levels).reduce(.value(.integer(value))) { inner, _ in .function(.absolute, inner) }
    }
    #expect(make(1) != make(2))
  }

  @Test("500 levels are bound, and 501 are not")
  func limit() throws {
    let person = try TestModels.people().entity("Person")
    for form in Self.forms.prefix(3) {
      #expect(throws: Never.self) { try Self.expression(500, form).bound(to: person) }
      let error = #expect(throws: CauldronError.self) {
        try Self.expression(501, form).bound(to: person)
      }
      #expect(error?.code == .queryTooDeep)
    }
  }

  @Test("A path through very many relationships is refused, and ends nothing")
  func longPaths() throws {
    let model = try TestModels.people()
    func path(_ count: Int) -> String {
      Array(repeating: "employer", count: count).joined(separator: ".") + ".name"
    }
    for count in [502, 20_000] {
      let error = #expect(throws: CauldronError.self) {
        try PredicateNode(format: "\(path(count)) == 'x'")
      }
      #expect(error?.code == .queryTooDeep)
      let steps = PropertyPath(path(count))
      let conditions: [PredicateNode] = [
        .isNil(steps), .comparison(.property(steps), .equal, .value(.text("x")), []),
        .refersTo(steps, []), .quantified(.any, steps, .constant(true)),
        .comparison(.aggregate(.count, of: steps, nil), .equal, .value(.integer(1)), []),
      ]
      for node in conditions {
        let error = #expect(throws: CauldronError.self) {
          try node.bound(to: model.entity("Person"))
        }
        #expect(error?.code == .queryTooDeep)
      }
    }
    _ = try PredicateNode(format: "\(path(501)) == 'x'")
  }
}
