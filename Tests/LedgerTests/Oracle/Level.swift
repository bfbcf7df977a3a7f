/// What a context has not passed on, as plain values; a root's parent is what is committed.
final class Level {
  private let parent: Level?
  /// What is committed, under all levels.
  let disk: Disk
  /// Oldest first.
  var layers: [Deed] = []

  init(parent: Level) {
    self.parent = parent
    disk = parent.disk
  }

  /// A context on the coordinator.
  init(_ disk: Disk) {
    parent = nil
    self.disk = disk
  }

  /// What the context sees: the properties that its chain has changed, over the newest committed
  /// rows, whoever has committed them.
  var view: View { layers.reduce(below) { $0.applying($1.edits) } }

  /// What the context saw before the commit that is being recorded: whoever has no part in it may
  /// see either.
  var earlier: View? {
    guard let before = disk.before else { return nil }
    let now = disk.view
    disk.view = before
    defer { disk.view = now }
    return view
  }

  private var below: View { parent?.view ?? disk.view }

  /// Whether something of the context's layers has to be refused by what lies below.
  var isRefused: Bool { !conflicts.isEmpty }

  /// The accounts for the sake of which it is refused.
  var conflicts: Set<Int64> {
    layers.reduce(into: (view: below, keys: Set<Int64>())) {
      $0.keys.formUnion($0.view.conflicts(with: $1.edits))
      $0.view = $0.view.applying($1.edits)
    }.keys
  }

  /// Which of the first layers a commit writes, and which it gives back.
  ///
  /// The layers of one save share one verdict, and the context's own ones are one save.
  func verdict(_ count: Int) -> (written: [Deed], refused: [Deed]) {
    var refused: Set<Int> = []
    while true {
      let before = refused.count
      let written = layers.prefix(count).reduce(into: (view: below, units: Set<Int>())) {
        if refused.contains($1.unit) { return }
        if !$0.view.conflicts(with: $1.edits).isEmpty {
          refused.insert($1.unit)
        } else {
          $0.view = $0.view.applying($1.edits)
          $0.units.insert($1.unit)
        }
      }
      // What was built on an earlier part of a refused save is looked at once more.
      if refused.count == before || written.units.isDisjoint(with: refused) {
        return (
          layers.prefix(count).filter { !refused.contains($0.unit) },
          layers.prefix(count).filter { refused.contains($0.unit) }
        )
      }
    }
  }

  /// Hands everything to the parent.
  func push(_ source: Deed.Source? = nil) {
    parent?.layers += layers.map { $0.saved(source) }
    layers = []
  }

  /// The first layers are on disk now.
  func commit(_ count: Int) {
    disk.view = layers.prefix(count).reduce(disk.view) { $0.applying($1.edits) }
    layers.removeFirst(count)
  }

  /// Puts what came back before what was made later.
  func takeBack(_ deeds: [Deed]) {
    for deed in deeds.map(\.comeBack) {
      let place = layers.firstIndex { ($0.returned ?? .max) > (deed.returned ?? 0) }
      layers.insert(deed, at: place ?? layers.endIndex)
    }
  }
}

extension Deed {
  /// What it is written or refused with.
  fileprivate var unit: Int { source?.number ?? 0 }
}
