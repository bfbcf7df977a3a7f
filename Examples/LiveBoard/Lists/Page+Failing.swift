import Cauldron

extension Page: @MainActor FetchedResultsControllerDelegate {
  /// The window keeps what it shows, and is told that it may be wrong.
  func controller(
    _ controller: FetchedResultsController<Person>, didFail error: any Error
  ) { send(.problem("\(error)")) }
}
