import Foundation
import GraphKit
import TestSupport
import Testing

/// Random operations on every kind of relationship show what plain dictionaries show.
@Suite(.againstHanging, .ownThread) struct GraphModelTests {
  /// How many operations each seed runs; a sanitizer looks at every access.
  private static let count =
    ProcessInfo.processInfo.environment["CAULDRON_MODEL_STEPS"].flatMap(Int.init) ?? 300

  private static let seeds = (1...(count < 300 ? 5 : 20)).map { UInt64($0) }

  @Test(.enabled(if: !Sanitizer.isOn, "operations under a sanitizer are those of the other test"))
  func `some of the operations undo, and make again, what was done`() throws {
    var generator = SeededGenerator(seed: 7)
    let operations = GraphRun.operations(900, using: &generator)
    let story = try GraphRun.story(of: operations, contexts: 2)
    #expect(story.last == "no difference")
    for verb in ["undo", "redo"] {
      // Without facts it would show nothing.
      let count = story.count { $0.hasPrefix("  \(verb) ") && !$0.contains(" 0 facts") }
      #expect(count >= 5, "\(verb)")
    }
  }

  @Test func `a word that two contexts have asked for loses the link that the other one made`()
    throws
  {
    let operations = [
      [850, 916, 780, 971], [308, 243, 824, 659], [610, 241, 192, 352], [22, 70, 328, 586],
      [869, 595, 708, 908], [491, 777, 129, 837], [611, 351, 141, 646], [708, 3, 660, 735],
      [626, 445, 878, 650], [725, 121, 778, 319], [124, 780, 63, 122], [405, 470, 249, 586],
      [467, 913, 250, 663], [126, 183, 109, 884], [501, 802, 987, 167], [667, 129, 173, 105],
    ]
    #expect(try GraphRun.run(operations, contexts: 4) == nil)
  }

  @Test func `who asks again for a word gets the one that another context has asked for`() throws {
    let afterRollback = [
      [323, 651, 876, 924], [804, 200, 524, 472], [422, 123, 313, 168], [498, 239, 108, 569],
      [522, 987, 949, 681],
    ]
    #expect(try GraphRun.run(afterRollback, contexts: 3) == nil)
    let afterReset = [
      [941, 390, 726, 964], [425, 641, 258, 374], [799, 720, 294, 361], [843, 786, 848, 643],
      [423, 737, 903, 550], [925, 665, 69, 465],
    ]
    #expect(try GraphRun.run(afterReset, contexts: 2) == nil)
  }

  @Test func `what an undo leads to an object that a child has deleted is a matter of their saves`()
    throws
  {
    let operations = [
      [737, 999, 515, 917], [508, 61, 855, 100], [882, 494, 563, 63], [906, 647, 622, 297],
      [17, 236, 553, 938], [704, 452, 892, 856], [300, 216, 450, 217], [703, 138, 211, 298],
      [703, 590, 353, 527], [569, 823, 945, 11], [289, 524, 577, 876], [682, 694, 188, 138],
      [710, 843, 854, 363], [380, 900, 772, 866], [494, 38, 547, 877], [993, 635, 658, 417],
    ]
    #expect(try GraphRun.run(operations, contexts: 2) == nil)
  }

  @Test(arguments: seeds)
  func `random operations show what dictionaries show`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let operations = GraphRun.operations(Self.count, using: &generator)
    let contexts = Int(seed % 4) + 1
    guard let difference = try GraphRun.run(operations, contexts: contexts) else { return }
    let short = try GraphRun.shrunk(operations, contexts: contexts)
    Issue.record("seed \(seed): \(difference); in \(contexts) contexts \(short) fails, too")
  }
}
