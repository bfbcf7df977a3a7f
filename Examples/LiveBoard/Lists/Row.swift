import Cauldron
import Foundation

/// A row of the list as the page shows it.
struct Row: Codable, Hashable, Sendable {
  let id: String
  let name: String
  let city: String
  let age: Int
  /// The year in which the person joined.
  let joined: Int?
  let isFavourite: Bool

  /// Reads a row of a snapshot; no context is asked.
  init(_ snapshot: FetchedResultsSnapshot<Person>, at place: Int) {
    id = "\(snapshot.objectID(at: place))"
    name = snapshot.value(of: \.name, at: place)
    city = snapshot.value(of: \.city, at: place)
    age = snapshot.value(of: \.age, at: place)
    joined = snapshot.value(of: \.joined, at: place).map(Self.year)
    isFavourite = snapshot.value(of: \.isFavourite, at: place)
  }

  private static func year(_ date: Date) -> Int {
    Calendar(identifier: .gregorian).component(.year, from: date)
  }
}

/// The rows of a range of places, in one version of the list.
struct Rows: Codable, Sendable {
  let version: Int
  let from: Int
  let rows: [Row]
}
