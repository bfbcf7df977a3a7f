import Cauldron
import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation
import TestSupport
import Testing

@Suite struct VerificationTests {
  private let directory: TemporaryDirectory
  private let url: URL

  init() throws {
    (directory, url) = try Surgery.makeInDirectory()
  }

  @Test func `a store of the library has no findings, with all kinds of properties`() throws {
    let verdict = try StoreExamination(url).verify()
    #expect(verdict.findings.isEmpty)
    #expect(verdict.note == nil)
  }

  @Test(arguments: SeededDefect.all)
  func `each defect is named, and nothing else is`(defect: SeededDefect) throws {
    try defect.damage(RawDatabase(url))
    let findings = try StoreExamination(url).verify().findings
    let list = findings.map { "\($0.kind.rawValue): \($0)" }.joined(separator: "\n")
    #expect(Set(findings.map(\.kind)) == defect.kinds, "\(list)")
    #expect(findings.contains { $0.message.contains(defect.words) }, "\(list)")
  }

  @Test func `at least thirty defects of all kinds are seeded`() {
    #expect(SeededDefect.all.count >= 30)
    let seeded = SeededDefect.all.reduce(into: Set<StoreFinding.Kind>()) { $0.formUnion($1.kinds) }
    // These only classes and models of Core Data know of.
    #expect(
      Set(StoreFinding.Kind.allCases).subtracting(seeded)
        == [
          .valueUndecodable, .valueUnknownCase, .triggerMissing, .valueDerived, .modelUnsupported,
        ])
  }

  @Test func `looking changes no byte, and leaves nothing beside the file`() throws {
    let before = try Data(contentsOf: url)
    _ = try StoreExamination(url).verify()
    _ = try StoreExamination(url).summary()
    #expect(try Data(contentsOf: url) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names == ["clinics.sqlite"])
  }

  @Test func `a store that is open, with all in the log, is seen as it is`() throws {
    let stack = try Surgery.open(url)
    try stack.saveAndWait { local in Topic.create(in: local.context).title = "ear" }
    let summary = try StoreExamination(url).summary()
    #expect(summary.logBytes > 0)
    #expect(summary.entities.first { $0.name == "Topic" }?.rows == 3)
    #expect(try StoreExamination(url).verify().findings.isEmpty)
    try stack.close()
  }

  @Test func `a long list of rows is cut after ten`() throws {
    let stack = try Surgery.open(url)
    try stack.saveAndWait { local in
      for _ in 0..<30 { Topic.create(in: local.context).title = "ear" }
    }
    try stack.close()
    #expect(RawDatabase(url).run("UPDATE ZTOPIC SET ZTITLE = NULL WHERE Z_PK > 2") == nil)
    let finding = try #require(StoreExamination(url).verify().findings.first)
    #expect(finding.count == 30)
    #expect(finding.keys.count == 10)
    #expect(finding.message.hasSuffix(", …)."))
  }

  @Test func `two objects at one place are no finding: contexts put them there`() throws {
    #expect(RawDatabase(url).run("UPDATE ZDOCTOR SET Z_FOK_CLINIC = 2048") == nil)
    #expect(try StoreExamination(url).verify().findings.isEmpty)
  }
}
