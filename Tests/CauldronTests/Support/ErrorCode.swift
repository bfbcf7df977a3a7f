import Cauldron
import Testing

/// The error that a block throws; an issue is recorded where it throws none of ours.
func cauldronError(
  _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> CauldronError? {
  do {
    try body()
    Issue.record("no error was thrown", sourceLocation: location)
  } catch {
    if let error = error as? CauldronError { return error }
    Issue.record("another error was thrown: \(error)", sourceLocation: location)
  }
  return nil
}
