import Cauldron
import Dispatch
import Foundation
import GRDB

/// What it costs that a list of many rows stays right.
extension Contest {
  static func lists(_ settings: Settings) -> [Contest] {
    let count = settings.size(740_300)
    return [
      insertion(count), manyChanges(count), firstPage(count),
      importUnderList(settings.size(100_000)), unrelatedLists(), foreignCommits(count),
    ]
  }

  /// A child saves one new object into the default context, which shows the list.
  private static func insertion(_ count: Int) -> Contest {
    let name = "live list of \(grouped(count)), an insert saved by a child"
    return Contest(name, onMain: false, ownsMainThread: true) { settings in
      let table = try ListTable(count)
      let stats = try alternate(
        settings.chosen([table.lane(.ours, insert), table.lane(.base, insert), table.observed()]),
        settings)
      return listOutcomes(name, stats, main: 0.1, others: 1, wall: 5)
    }
  }

  private static func insert(_ number: Int, _ context: ManagedObjectContext) {
    Item.create(ItemValues.make(1, from: 2_000_000 + number), in: context)
  }

  /// A child changes what a thousand objects are sorted by.
  private static func manyChanges(_ count: Int) -> Contest {
    let name = "live list of \(grouped(count)), 1,000 objects moved by a child's save"
    return Contest(name, onMain: false, ownsMainThread: true) { settings in
      let table = try ListTable(count)
      func move(_ number: Int, _ context: ManagedObjectContext) throws {
        for item in try Item.where(\.score < 1_000).fetch(in: context) {
          item.name = "\(number) \(item.score)"
        }
      }
      let stats = try alternate(
        settings.chosen([table.lane(.ours, move), table.lane(.base, move)]), settings)
      return listOutcomes(name, stats, main: 1, others: nil, wall: nil)
    }
  }

  private static func listOutcomes(
    _ name: String, _ stats: [Contender: Stat], main: Double, others: Double?, wall: Double?
  ) -> [Outcome] {
    let bare = stats[.base]?.main ?? 0
    var outcomes = [
      Outcome(
        name: name, stats: stats, base: "no list",
        targets: [Target(.main, main)] + (wall.map { [Target(.operation, $0 * 1e6)] } ?? []),
        note: "until it is told; main: all of it, of which without a list "
          + Target.time(bare * 1e6))
    ]
    if let ours = stats[.ours] {
      let stat = Stat([Sample(wall: ours.cpu, cpu: ours.cpu)])
      outcomes.append(
        Outcome(
          name: "of it on threads in the background", stats: [.ours: stat],
          targets: others.map { [Target(.operation, $0 * 1e6)] } ?? []))
    }
    return outcomes
  }

  /// The first fetch of a list, until thirty objects of it have been read.
  private static func firstPage(_ count: Int) -> Contest {
    Contest(
      "first page of a live list of \(grouped(count))", onMain: false, ownsMainThread: true,
      targets: [Target(.main, 0.1)], note: "main: asked for, taken over, 30 objects read"
    ) { _ in
      let store = try FilledStore(count)
      return [Lane(.ours) { try FirstPage.sample(store.stack) }]
    }
  }
}
