import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// How requests become queries.
@Suite(.againstHanging) struct RequestResolverTests {
  private let bench: Bench
  private let requests: RequestResolver

  init() throws {
    bench = try Bench()
    requests = bench.child().core.requests
  }

  @Test func `the entity of a class is found, and one that the model lacks is refused`() throws {
    #expect(try requests.layout(named: nil, for: Person.self).name == "Person")
    #expect(try requests.layout(named: "Company", for: ManagedObject.self).name == "Company")
    let error = #expect(throws: CauldronError.self) {
      try requests.layout(named: "Planet", for: ManagedObject.self)
    }
    #expect(error?.code == .modelUnknownEntity)
  }

  @Test func `a window before the first object is refused`() throws {
    let entity = try requests.layout(named: nil, for: Person.self)
    try requests.check(limit: 0, offset: 0, entity)
    #expect(throws: CauldronError.self) { try requests.check(limit: -1, offset: 0, entity) }
    #expect(throws: CauldronError.self) { try requests.check(limit: 1, offset: -1, entity) }
  }
}
