import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite struct StackVerificationTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  private func findings(after sql: String) async throws -> [StoreFinding] {
    #expect(RawDatabase(url).run(sql) == nil)
    let stack = try Surgery.open(url)
    let findings = try await stack.verify()
    try stack.close()
    return findings
  }

  @Test func `an open store that is good has no findings, and may be written meanwhile`()
    async throws
  {
    let stack = try Surgery.open(url)
    async let found = stack.verify()
    try await stack.save { local in Topic.create(in: local.context).title = "ear" }
    #expect(try await found.isEmpty)
    #expect(try await stack.verify().isEmpty)
    try stack.close()
  }

  @Test func `a case that was removed is found, with the rows that have it`() async throws {
    let findings = try await findings(
      after: "UPDATE ZDOCTOR SET ZMOOD = 'cross' WHERE Z_PK IN (2, 4)")
    #expect(findings.map(\.kind) == [.valueUnknownCase])
    #expect(findings.first?.keys == [2, 4])
    #expect(
      findings.first?.message == "Doctor.mood is no case of its enumeration in 2 rows (p2, p4).")
  }

  @Test func `bytes that are no JSON of the type are found`() async throws {
    let findings = try await findings(after: "UPDATE ZDOCTOR SET ZHOURS = x'7B7D' WHERE Z_PK = 1")
    #expect(findings.map(\.kind) == [.valueUndecodable])
    #expect(findings.first?.message == "Doctor.hours cannot be decoded in 1 row (p1).")
  }

  @Test func `a text that is no URL is found`() async throws {
    let findings = try await findings(after: "UPDATE ZCLINIC SET ZPAGE = '' WHERE Z_PK = 1")
    #expect(findings.map(\.kind) == [.valueUndecodable])
    #expect(findings.first?.property == "page")
  }

  @Test func `what the tool finds the stack finds, too`() async throws {
    let findings = try await findings(after: "UPDATE ZDOCTOR SET ZCLINIC = 99 WHERE Z_PK = 1")
    #expect(findings.map(\.kind) == [.linkDangling])
    #expect(findings.first?.entity == "Doctor")
  }

  /// Damage of which Core Data's own stores have some, and some that is damage anywhere.
  private static let oneSided = "UPDATE ZDOCTOR SET ZBADGE = 2, ZAGE = 'old' WHERE Z_PK = 1"

  @Test func `a reference with one end is wrong in a store of this library`() async throws {
    let findings = try await findings(after: Self.oneSided)
    #expect(Set(findings.map(\.kind)) == [.linkOneSided, .valueType])
    #expect(findings.allSatisfy { $0.standing == .wrong })
  }

  @Test func `in a store of Core Data it is left by that, and a wrong value is wrong`()
    async throws
  {
    // The copy of the model goes that says who wrote the store.
    let findings = try await findings(after: "DELETE FROM Z_MODELCACHE; " + Self.oneSided)
    let standings = Dictionary(grouping: findings, by: \.standing).mapValues { Set($0.map(\.kind)) }
    #expect(
      standings == [.leftByCoreData: [.linkOneSided], .wrong: [.valueType, .modelUnreadable]])
  }

  @Test func `a finding keeps its standing as JSON`() async throws {
    let findings = try await findings(after: "DELETE FROM Z_MODELCACHE; " + Self.oneSided)
    let json = try JSONEncoder().encode(findings)
    #expect(try JSONDecoder().decode([StoreFinding].self, from: json) == findings)
    #expect(String(decoding: json, as: UTF8.self).contains("\"standing\":\"leftByCoreData\""))
  }

  @Test func `a stack in memory has no findings, and a closed one says so`() async throws {
    let memory = try Stack(storeURL: nil, model: Surgery.model())
    #expect(try await memory.verify().isEmpty)
    let stack = try Surgery.open(url)
    try stack.close()
    let error = await #expect(throws: CauldronError.self) { try await stack.verify() }
    #expect(error?.code == .stackClosed)
  }
}
