import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Each cell of the table about one-to-one links holds, in a parent and in the store.
@Suite(.againstHanging) struct PairTableTests {
  private static let meetings = ConflictArticle.meetings("One-to-one links")

  @Test func `the table tells of every meeting and every policy`() {
    #expect(Self.meetings.count == 9)
    #expect(Self.meetings.allSatisfy { $0.words.map(\.policy) == Pairs.policies })
  }

  @Test(arguments: meetings, ConflictReceiver.allCases)
  func `a save ends as the table says`(
    _ meeting: ConflictArticle.Meeting, _ receiver: ConflictReceiver
  ) throws {
    for cell in ConflictCell.all(meeting, receiver) { try check(cell) }
  }

  /// Random runs of pairs delete nothing, and do not find this defect.
  @Test(arguments: [false, true])
  func `a restored object is linked at both ends, unless the rule is taken away`(
    _ isPlanted: Bool
  ) throws {
    let bench = try Bench(.memory, model: Pairs.model())
    if isPlanted { bench.stack.coordinator.planted.withLock { $0 = [.halfRestored] } }
    let maker = bench.committed()
    Pairs.furnish(maker)
    try maker.chair(1)?.sitter = maker.sitter(1)
    try maker.save()
    let (mine, theirs) = (bench.child("Mine"), bench.child("Theirs"))
    try mine.performAndWait { try $0.context.chair(1)?.note = "mine" }
    try theirs.performAndWait { try $0.context.chair(1)?.delete() }
    try theirs.saveAndWait(toPersistentStore: true)
    let policy = MergePolicy.mergeByPropertyObjectTrump
    let isSaved = (try? mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)) != nil
    let reader = bench.committed()
    let halves = try Pairs.halves(in: reader)
    let isLinked = try reader.chair(1)?.sitter?.number == 1
    #expect((isSaved && halves.isEmpty && isLinked) == !isPlanted)
  }

  /// By the other form a and b are sitters, and x, y and z chairs.
  private func check(_ cell: ConflictCell) throws {
    let bench = try Bench(cell.kind, model: Pairs.model())
    let maker = bench.committed()
    for number in 1...3 {
      let (chair, sitter) = (Chair.create(in: maker), Sitter.create(in: maker))
      (chair.number, sitter.number) = (number, number)
      if number == 1 { chair.sitter = sitter }
    }
    try maker.save()
    let (mine, theirs, reader) = bench.rivals(cell.receiver)
    let held = try [mine, theirs].map { try Seats($0, isTurned: cell.isOther) }
    try held[0].act(cell.meeting.here)
    try held[1].act(cell.meeting.there)
    try theirs.save()
    let expected = try #require(Self.expected(cell.meeting, cell.word), "\(cell): \(cell.word)")
    try cell.conclude(bench, mine, reader: reader, expected: expected) { context in
      #expect(try Pairs.halves(in: context) == [], "\(cell)")
      return try Seats(context, isTurned: cell.isOther).state
    }
  }

  /// What a word of the table means: the links, and the objects that are there.
  private static func expected(_ meeting: ConflictArticle.Meeting, _ word: String) -> String? {
    let theirs: [String: String] = [
      "a takes z": "az, abc xyz", "b takes y": "ax by, abc xyz", "a takes y": "ay, abc xyz",
      "b takes z": "ax bz, abc xyz", "x is deleted": "abc yz", "y is deleted": "ax, abc xz",
      "a is deleted": "bc xyz", "x is deleted, a takes y": "ay, abc yz",
    ]
    return switch (word, meeting.here) {
    case ("conflict", _), ("theirs", _): theirs[meeting.there]
    case ("mine", "a is deleted"): "bc xyz"
    case ("restored", "x is edited"): "ax, abc xyz"
    case ("alone", _): "ay, abc xyz"
    case ("mine", _), ("restored", _): "ay, abc xyz"
    case ("both", _): "ay bz, abc xyz"
    default: nil
    }
  }
}

/// The objects of one context, by the letters of the table.
private struct Seats {
  private let isTurned: Bool
  private let chairs: [Chair?]
  private let sitters: [Sitter?]

  init(_ context: ManagedObjectContext, isTurned: Bool) throws {
    self.isTurned = isTurned
    chairs = try (1...3).map { try context.chair($0) }
    sitters = try (1...3).map { try context.sitter($0) }
    // Both ends of each are read.
    _ = (chairs.map { $0?.sitter }, sitters.map { $0?.chair })
  }

  private func object(_ letter: Character) -> ManagedObject? {
    let isFirst = "abc".contains(letter)
    let place = Array(isFirst ? "abc" : "xyz").firstIndex(of: letter) ?? 0
    return isFirst == isTurned ? sitters[place] : chairs[place]
  }

  /// Does what a cell says, such as "x is deleted, a takes y".
  func act(_ text: String) throws {
    for act in text.components(separatedBy: ", ") {
      let words = act.components(separatedBy: " ")
      let first = try #require(object(Character(words[0])))
      switch words.last {
      case "deleted": first.delete()
      case "edited": edit(first)
      default: link(first, object(Character(words[2])))
      }
    }
  }

  private func edit(_ object: ManagedObject) {
    (object as? Chair)?.note = "edited"
    (object as? Sitter)?.note = "edited"
  }

  private func link(_ object: ManagedObject, _ partner: ManagedObject?) {
    (object as? Chair)?.sitter = partner as? Sitter
    (object as? Sitter)?.chair = partner as? Chair
  }

  /// The links and the objects that are there, such as "ay, abc xz".
  var state: String {
    let firsts = "abc".filter { object($0)?.isDeleted == false }
    let seconds = "xyz".filter { object($0)?.isDeleted == false }
    let links = firsts.compactMap { letter -> String? in
      let partner = (object(letter) as? Chair)?.sitter ?? (object(letter) as? Sitter)?.chair
      guard let partner else { return nil }
      return seconds.first { object($0) === partner }.map { "\(letter)\($0)" }
    }
    let there = "\(firsts) \(seconds)"
    return links.isEmpty ? there : links.joined(separator: " ") + ", " + there
  }
}
