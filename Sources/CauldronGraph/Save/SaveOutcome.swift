/// What a save did.
public enum SaveOutcome: Sendable, Hashable {
  /// The changes were saved.
  case saved(SaveSummary)
  /// There was nothing to save, anywhere on the chain.
  case noChanges
}

/// What a successful save wrote.
public struct SaveSummary: Sendable, Hashable {
  /// The save's number, which its log lines carry.
  public let saveID: UInt64
  /// The number of the concurrent save that carried the changes to disk, if it was another one.
  public let carriedBy: UInt64?
  /// The objects created, changed and deleted in the context that was saved.
  public let inserted: Int
  /// The objects changed in the context that was saved.
  public let updated: Int
  /// The objects deleted in the context that was saved.
  public let deleted: Int
  /// What merge policies have kept or dropped, at all levels; empty where nothing was in conflict.
  public let resolutions: [SaveResolution]
}
