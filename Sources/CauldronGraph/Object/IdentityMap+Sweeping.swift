import Dispatch

extension IdentityMap {
  /// Drops clean objects that nobody else holds.
  ///
  /// A sweep looks at every object, so it waits until there are twice as many as the last one left;
  /// that makes it free of charge per registered object. Until then each event looks at a part of
  /// the map, so that what was let go of does not wait for more objects to come.
  func sweepIfWorthwhile() {
    guard !isBusy, count > 0 else { return }
    if count <= 256 || count > 2 * survivors { sweep() } else { sweepPart() }
  }

  func sweep() {
    guard !isBusy else { return }
    isBusy = true
    for table in 0..<tableCount {
      // Objects were mostly made in the order of their keys, and memory likes to be freed so.
      for (number, page) in pages(of: table) { _ = sweep(page, number: number, table: table) }
    }
    isBusy = false
    dropEmptied()
    survivors = count
    rotation.begin()
  }

  /// Looks at the next part of the map: a small one, larger where much was found, or where it has
  /// taken long to get round.
  private func sweepPart() {
    isBusy = true
    let size = min(rotation.size(of: count), count)
    var (seen, dropped) = (0, 0)
    while seen < size, let (number, page, table) = nextPage() {
      seen += page.count
      dropped += sweep(page, number: number, table: table)
    }
    isBusy = false
    dropEmptied()
    rotation.note(seen: seen, dropped: dropped)
    if rotation.hasEnded(tableCount) {
      survivors = count
      rotation.begin()
    }
  }

  /// The page at the rotation's place or behind it; nil at the end of the map.
  private func nextPage() -> (number: Int64, page: IdentityPage, table: Int)? {
    while rotation.table < tableCount {
      while rotation.place < places(of: rotation.table) {
        defer { rotation.place += 1 }
        if let (number, page) = page(at: rotation.place, of: rotation.table) {
          return (number, page, rotation.table)
        }
      }
      rotation.place = 0
      rotation.table += 1
    }
    return nil
  }
}

/// Where the sweeps by part have got to, and how much the next one looks at.
struct SweepRotation {
  var table = 0
  var place = 0
  private var next = SweepRotation.least
  private var began = DispatchTime.now().uptimeNanoseconds

  /// Looked at in microseconds, by every event.
  private static let least = 128
  /// Looked at and freed in a millisecond or two.
  private static let most = 32_768
  /// How much events look at after a second in which they have not got round.
  private static let late = 8_192

  /// How many objects to look at.
  func size(of count: Int) -> Int {
    guard next < Self.late, count > next else { return next }
    let age = DispatchTime.now().uptimeNanoseconds &- began
    return age < 1_000_000_000 ? next : Self.late
  }

  /// Grows where at least half of the objects were dropped.
  mutating func note(seen: Int, dropped: Int) {
    if dropped > 0, 2 * dropped >= seen {
      next = min(max(4 * next, 1_024), Self.most)
    } else {
      next = max(next / 2, Self.least)
    }
  }

  func hasEnded(_ tables: Int) -> Bool { table >= tables }

  mutating func begin() {
    table = 0
    place = 0
    began = DispatchTime.now().uptimeNanoseconds
  }
}
