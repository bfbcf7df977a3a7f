import Cauldron
import TestSupport
import Testing

/// A deletion that a later part of the same save overrules, where another save has changed the object meanwhile: both
/// ends of each link agree, in each context and in the file.
@Suite(.againstHanging) struct OverruledConflictTests {
  private let bench: Bench
  private let middle: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    middle = bench.child("Middle")
    child = bench.child("Child", of: middle)
    try bench.stack.saveAndWait { (local: LocalContext) in
      let context = local.context
      let ann = Person.named("ann", in: context)
      let (passport, company) = (Passport.create(in: context), Company.named("A", in: context))
      (passport.number, ann.passport, ann.employer) = (1, passport, company)
      Passport.create(in: context).number = 2
    }
  }

  /// What the child does to the object that is deleted beside it.
  enum Edit: CaseIterable { case value, link, unlink }
  /// What another save does to it meanwhile.
  enum Other: CaseIterable { case value, link, unlink, deletion }

  private func passport(_ number: Int, _ local: LocalContext) throws -> Passport? {
    try Passport.findFirst(where: \.number == number, in: local.context)
  }

  private func ends(in context: ManagedObjectContext) throws -> String {
    try context.performAndWait { (local: LocalContext) in
      let ann = try Person.findFirst(in: local.context)
      let holders = try [1, 2].map { try passport($0, local)?.holder == nil ? "-" : "ann" }
      let ends = [1, 2].map { ann?.passport?.number == $0 ? "ann" : "-" }
      #expect(holders == ends)
      let members = try Company.findFirst(in: local.context)?.employees.count ?? 0
      #expect(members == (ann?.employer == nil ? 0 : 1))
      let person = ann.map { "\($0.name) \($0.age)" } ?? "none"
      return "\(person) \(ends.joined(separator: " ")) \(members)"
    }
  }

  private func edit(_ edit: Edit) throws {
    try child.performAndWait { (local: LocalContext) in
      let ann = try #require(try Person.findFirst(in: local.context))
      switch edit {
      case .value: ann.name = "anna"
      case .link: ann.passport = try passport(2, local)
      case .unlink: ann.passport = nil
      }
    }
  }

  private func change(_ other: Other) throws {
    try bench.stack.saveAndWait { (local: LocalContext) in
      let context = local.context
      let ann = try #require(try Person.findFirst(in: context))
      switch other {
      case .value: ann.age = 5
      case .link: ann.passport = try Passport.findFirst(where: \.number == 2, in: context)
      case .unlink: ann.passport = nil
      case .deletion: ann.delete()
      }
    }
  }

  static let policies: [MergePolicy] = [
    .error, .strict, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  @Test(arguments: policies, Edit.allCases)
  func `both ends of each link agree, and different properties are no conflict`(
    _ policy: MergePolicy, _ edit: Edit
  ) throws {
    for other in Other.allCases {
      for isOwn in [false, true] {
        let bench = try OverruledConflictTests()
        try bench.run(policy, edit, other, isOwn: isOwn)
      }
    }
  }

  private func run(_ policy: MergePolicy, _ edit: Edit, _ other: Other, isOwn: Bool) throws {
    let deleter = isOwn ? middle : bench.child("Second", of: middle)
    middle.mergePolicy = policy
    bench.root.mergePolicy = policy
    try self.edit(edit)
    try deleter.performAndWait { try Person.findFirst(in: $0.context)?.delete() }
    if !isOwn { try deleter.saveAndWait(toPersistentStore: false) }
    child.mergePolicy = .mergeByPropertyObjectTrump
    try child.saveAndWait(toPersistentStore: false)
    try change(other)
    var error: CauldronError?
    do {
      try middle.saveAndWait(toPersistentStore: true)
    } catch let refusal as CauldronError {
      error = refusal
    }
    let stored = try ends(in: bench.committed())
    #expect(try ends(in: bench.root) == stored)
    if error == nil { #expect(try ends(in: middle) == stored) }
    guard other == .value, policy != .strict else { return }
    // Both sides have changed different properties. An overwriting save writes what its context shows, which
    // has not taken the other change in where the deletion was another context's.
    let age = policy == .overwrite && !isOwn ? 0 : 5
    let expected =
      switch edit {
      case .value: "anna \(age) ann - 1"
      case .link: "ann \(age) - ann 1"
      case .unlink: "ann \(age) - - 1"
      }
    #expect(error == nil && stored == expected)
  }
}
