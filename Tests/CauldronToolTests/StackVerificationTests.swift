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

  @Test func `a stack in memory has no findings, and a closed one says so`() async throws {
    let memory = try Stack(storeURL: nil, model: Surgery.model())
    #expect(try await memory.verify().isEmpty)
    let stack = try Surgery.open(url)
    try stack.close()
    let error = await #expect(throws: CauldronError.self) { try await stack.verify() }
    #expect(error?.code == .stackClosed)
  }
}
