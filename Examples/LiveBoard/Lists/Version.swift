import Cauldron

/// A state of a page's list.
struct Version: Sendable {
  /// Counts the versions of the page from 1.
  let number: Int
  let snapshot: FetchedResultsSnapshot<Person>
  /// How it comes from the version before; nil for the first one.
  let difference: FetchedResultsDifference?
}
