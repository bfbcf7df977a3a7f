import Cauldron
import Synchronization

/// The newest versions of a page's list, asked on any thread: a snapshot needs no context.
final class Versions: Sendable {
  /// How many are kept, for requests that are under way when the list changes.
  private static let most = 8
  private let versions = Mutex<[Version]>([])

  /// Adds a version.
  func add(
    _ snapshot: FetchedResultsSnapshot<Person>, _ difference: FetchedResultsDifference?
  ) -> Version {
    versions.withLock { versions in
      let version = Version(
        number: (versions.last?.number ?? 0) + 1, snapshot: snapshot, difference: difference)
      if versions.count == Self.most { versions.removeFirst() }
      versions.append(version)
      return version
    }
  }

  /// Rows of a version.
  /// - Returns: Nil where the version is not kept any more.
  func rows(_ number: Int, from: Int, count: Int) -> Rows? {
    let kept = versions.withLock { versions in versions.first { $0.number == number } }
    guard let snapshot = kept?.snapshot else { return nil }
    let start = min(max(from, 0), snapshot.count)
    let end = min(start + max(count, 0), snapshot.count)
    return Rows(
      version: number, from: start, rows: (start..<end).map { Row(snapshot, at: $0) })
  }
}
