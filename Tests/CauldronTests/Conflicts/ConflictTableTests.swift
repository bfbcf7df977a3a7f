import Cauldron
import CauldronModel
import Foundation
import GraphKit
import TestSupport
import Testing

/// Each cell of the table about properties and deletions holds, in a parent and in the store.
@Suite(.againstHanging) struct ConflictTableTests {
  private static let meetings = ConflictArticle.meetings("Properties and deletions")

  @Test func `the table tells of every meeting and every policy`() {
    #expect(Self.meetings.count == 6)
    #expect(Self.meetings.allSatisfy { $0.words.map(\.policy) == Pairs.policies })
  }

  @Test(
    arguments: [
      (RiskTable.Case.property, "edit", "the same property"), (.theirDeletion, "edit", "deletion"),
      (.ownDeletion, "deletion", "edit"), (.bothDeleted, "deletion", "deletion"),
    ])
  func `the naive model of the random operations decides as the table does`(
    _ decided: RiskTable.Case, _ here: String, _ there: String
  ) throws {
    let meeting = try #require(Self.meetings.first { $0.here == here && $0.there == there })
    for (policy, word) in meeting.words {
      let words: Set<String> =
        switch RiskTable.outcome(decided, policy) {
        case .conflict: ["conflict"]
        case .theirs: decided == .property ? ["theirs"] : ["deleted", "kept"]
        case .mine: decided == .property ? ["mine"] : ["restored", "deleted"]
        case .whole: ["whole", "restored"]
        case .nothing: ["dropped"]
        }
      #expect(words.contains(word), "\(policy)")
    }
  }

  @Test(arguments: meetings, ConflictReceiver.allCases)
  func `a save ends as the table says`(
    _ meeting: ConflictArticle.Meeting, _ receiver: ConflictReceiver
  ) throws {
    for cell in ConflictCell.all(meeting, receiver) { try check(cell) }
  }

  /// By the other form the property that both sides edit is a reference.
  private func check(_ cell: ConflictCell) throws {
    let bench = try Bench(cell.kind, model: Clubs.model())
    let id = try Clubs.found(in: bench.committed())
    let (mine, theirs, reader) = bench.rivals(cell.receiver)
    let here = try #require(try Member.find(id, in: mine))
    let there = try #require(try Member.find(id, in: theirs))
    // Both sides have read the object before either of them changes it.
    _ = (here.name, here.club, here.teams.count, there.name, there.club, there.teams.count)
    try Clubs.change(here, cell.meeting.here, "mine", byAttribute: !cell.isOther)
    try Clubs.change(there, cell.meeting.there, "theirs", byAttribute: !cell.isOther)
    try theirs.save()
    let expected = try #require(Clubs.expected(cell.meeting, cell.word), "\(cell): \(cell.word)")
    try cell.conclude(bench, mine, reader: reader, expected: expected) { context in
      try Clubs.state(of: id, in: context)
    }
  }
}

@Entity final class Member: ManagedObject {
  var name: String = "was"
  var age: Int = 0
  var note: String = "was"
  @Relationship(inverse: \Club.members) var club: Club?
  @Relationship(inverse: \Team.members) var teams: ToMany<Team>
}

@Entity final class Club: ManagedObject {
  var name: String = ""
  @Relationship var members: ToMany<Member>
}

@Entity final class Team: ManagedObject {
  var name: String = ""
  @Relationship var members: ToMany<Member>
}

private enum Clubs {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [Member._describeEntity(), Club._describeEntity(), Team._describeEntity()])
  }

  /// Stores a member and three clubs and teams by the names of the sides.
  static func found(in context: ManagedObjectContext) throws -> ManagedObjectID {
    let member = Member.create(in: context)
    for name in ["was", "mine", "theirs"] {
      let (club, team) = (Club.create(in: context), Team.create(in: context))
      (club.name, team.name) = (name, name)
      if name == "was" {
        member.club = club
        member.teams.insert(team)
      }
    }
    try context.save()
    return member.objectID
  }

  /// Does what a side has done. Beside the property that both sides edit, each has one of its own.
  static func change(
    _ member: Member, _ act: String, _ side: String, byAttribute: Bool
  ) throws {
    let context = try #require(member.managedObjectContext)
    switch act {
    case "edit" where side == "mine", "the same property":
      if byAttribute {
        member.name = side
      } else {
        member.club = try Club.findFirst(where: \.name == side, in: context)
      }
      if side == "mine" { member.note = side } else { member.age = 1 }
    case "edit", "another property": member.age = 1
    case "deletion": member.delete()
    case "link to many", "another link":
      member.teams.insert(try #require(try Team.findFirst(where: \.name == side, in: context)))
    default: Issue.record("no act \"\(act)\"")
    }
  }

  /// What a member is like: the property that both sides edit, that of mine, that of theirs, its teams.
  static func state(of id: ManagedObjectID, in context: ManagedObjectContext) throws -> String {
    guard let member = try Member.find(id, in: context) else { return "gone" }
    let edited = member.name == "was" ? member.club?.name ?? "none" : member.name
    let teams = member.teams.map(\.name).filter { $0 != "was" }.sorted()
    return ([edited, member.note, "\(member.age)"] + teams).joined(separator: " ")
  }

  /// What a word of the table means.
  static func expected(_ meeting: ConflictArticle.Meeting, _ word: String) -> String? {
    let theirs =
      switch meeting.there {
      case "the same property": "theirs was 1"
      case "deletion": "gone"
      case "another link": "was was 0 theirs"
      default: "was was 1"
      }
    return switch (word, meeting.there) {
    case ("conflict", _), ("dropped", _), ("kept", _): theirs
    case ("deleted", _): "gone"
    case ("theirs", _): "theirs mine 1"
    case ("mine", _): "mine mine 1"
    case ("whole", _), ("restored", _): "mine mine 0"
    case ("both", "another link"): "was was 0 mine theirs"
    case ("both", _): "mine mine 1"
    default: nil
    }
  }
}
