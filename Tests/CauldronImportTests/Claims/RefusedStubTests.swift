import Cauldron
import CauldronModel
import Foundation
import Testing

/// Objects that were created for a key whose record was refused, or that said no.
@Suite struct RefusedStubTests {
  private func folders(_ depot: Depot) async throws -> [String] {
    try await depot.all(Folder.self) {
      "\($0.code) \($0.name ?? 0)>\($0.parent?.code ?? "-")"
    }
  }

  @Test(arguments: [false, true]) func itTakesNobodyWithIt(isStored: Bool) async throws {
    let depot = try Depot()
    if isStored { try await depot.load(#"[{"code": "b", "parent": "a"}]"#, as: Folder.self) }
    let report = try await depot.load(
      #"[{"code": "b", "parent": "c"}, {"code": "c", "name": "bad"}]"#, as: Folder.self)
    #expect(report.problems.map(\.pointer) == ["/1/name", "/0/parent"])
    #expect(try await folders(depot) == (isStored ? ["a 0>-", "b 0>a"] : ["b 0>-"]))
  }

  /// What is nested in a list is said before the list itself is.
  @Test(arguments: [nil, 1]) func itLeavesAListThatOutlivesWhatIsNested(every: Int?) async throws {
    let depot = try Depot()
    var options = ImportOptions.relationship("Watched", "friends", .init(members: .replace))
    options.commitEvery = every
    let report = try await depot.load(
      #"[{"id": 1, "friends": [2, {"id": 1, "friends": [4]}]}, {"id": 2, "throws": "will"}]"#,
      as: Watched.self, options)
    #expect(report.problems.map(\.pointer) == ["/1", "/0/friends/0"])
    #expect(report.related["Watched"]?.created == 1)
    let friends = try await depot.all(Watched.self) { "\($0.id)>\($0.friends.map(\.id).sorted())" }
    #expect(friends == ["1>[1]", "4>[]"])
  }

  @Test func whatWaitsInAListOutlivesWhatIsNested() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"""
      [{"id": 1, "name": "a", "children": [9, {"id": 1, "children": [2]}]},
       {"id": 9, "name": "i"}, {"id": 2, "name": "b"}]
      """#, as: Leaf.self, .relationship("Leaf", "children", .init(members: .replace)))
    #expect(report.problemCount == 0)
    let parents = try await depot.all(Leaf.self) { "\($0.id)>\($0.parent?.id ?? 0)" }
    #expect(parents == ["1>1", "2>0", "9>1"])
  }

  /// What a record says of a relationship counts for nothing once another record says something else of it.
  @Test func whatWaitsIsNotTakenInByARecordThatReplacesIt() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"""
      [{"id": 1, "quoted": [9]}, {"id": 1, "quoted": [{"id": 2, "subject": {"id": 9}}]},
       {"id": 2, "subject": null}]
      """#, as: Remark.self, .relationship("Remark", "quoted", .init(unknown: .skip)))
    #expect(report.deleted == 0)
    #expect(try await depot.all(Remark.self) { "\($0.id)" } == ["1", "2", "9"])
  }

  @Test func whoLinksWhatAnotherHasWaitedForIsUpdated() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"code": "a", "parent": "p"}, {"code": "a", "parent": {"code": "p"}}]"#,
      as: Folder.self, .relationship("Folder", "parent", .init(unknown: .skip)))
    #expect(report.created == 1 && report.updated == 1, "\(report)")
  }

  @Test func whoseListNamesWhatIsNestedBehindIsUpdated() async throws {
    let depot = try Depot()
    try await depot.load(
      #"[{"id": 6, "name": "a", "children": [3]}, {"id": 3, "name": "c"}]"#, as: Leaf.self)
    let report = try await depot.load(
      #"[{"id": 6, "children": [5, 3, {"id": 5, "name": "e"}]}]"#, as: Leaf.self)
    #expect(report.updated == 1 && report.related["Leaf"]?.created == 1, "\(report)")
    let children = try await depot.all(Leaf.self) { "\($0.id)>\($0.children.map(\.id))" }
    #expect(children == ["3>[]", "5>[]", "6>[5, 3]"])
  }

  @Test func whatIsNestedWaitsInVainWhereTheListSaysSomethingElse() async throws {
    let depot = try Depot()
    try await depot.load(
      #"[{"id": 1, "name": "a", "children": [{"id": 1, "children": [9]}]}, {"id": 9, "name": "i"}]"#,
      as: Leaf.self, .relationship("Leaf", "children", .init(members: .replace)))
    let parents = try await depot.all(Leaf.self) { "\($0.id)>\($0.parent?.id ?? 0)" }
    #expect(parents == ["1>1", "9>0"])
  }

  @Test func whoSaysNoGetsNoLinks() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"id": 1, "boss": 9}]"#, as: Watched.self)
    let report = try await depot.load(
      #"[{"id": 1, "boss": 2}, {"id": 2, "skip": true}]"#, as: Watched.self,
      .relationship("Watched", "boss", .init(unknown: .skip)))
    #expect(report.problems.map(\.pointer) == ["/0/boss"])
    #expect(report.declined == 1)
    let bosses = try await depot.all(Watched.self) { "\($0.id)>\($0.boss?.id ?? 0)" }
    #expect(bosses == ["1>9", "9>0"])
  }

  @Test func whoSaysNoAndThenYesGetsThem() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 1, "boss": 2}, {"id": 2, "skip": true}, {"id": 2}]"#, as: Watched.self,
      .relationship("Watched", "boss", .init(unknown: .skip)))
    #expect(report.problemCount == 0)
    let bosses = try await depot.all(Watched.self) { "\($0.id)>\($0.boss?.id ?? 0)" }
    #expect(bosses == ["1>2", "2>0"])
  }

  /// Records of which the first chunk has a stub, and the second the record that is refused.
  private static let long: String = {
    let pad = String(repeating: "x", count: 160)
    let more = (0..<800).map { #"{"code": "p\#($0)", "pad": "\#(pad)"}"# }
    return list(
      [#"{"code": "b", "parent": "c"}"#] + more + [#"{"code": "c", "name": "bad"}"#])
  }()

  @Test(arguments: [nil, 500]) func whatSomebodyFillsMeanwhileStays(every: Int?) async throws {
    let depot = try Depot()
    let stack = depot.stack
    let fillings = Locked(0)
    let report = try await depot.load(
      Self.long, as: Folder.self, ImportOptions(commitEvery: every)
    ) { progress in
      guard (1...800).contains(progress.records) else { return }
      let isFilled: Void? = try? stack.saveAndWait {
        try Folder.findOrCreate(\.code, "c", in: $0).name = 7
      }
      if isFilled != nil { fillings.withLock { $0 += 1 } }
    }
    #expect(fillings.withLock { $0 } > 0)
    #expect(report.refused == 1)
    let folders = try await folders(depot)
    #expect(folders.contains("c 7>-"), "\(folders.prefix(2))")
    #expect(folders.contains { $0.hasPrefix("b 0") }, "\(folders.prefix(2))")
  }
}
