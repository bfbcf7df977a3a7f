/// A save, as errors and logs name it.
public struct SaveParty: Sendable, Hashable {
  /// The save's number, which its log lines carry; 0 for changes that nobody had saved.
  public let saveID: UInt64
  /// The name of the context that made the changes.
  public let contextName: String
  /// What the save was named, or else the line of the program that asked for it.
  public let name: String

  package init(saveID: UInt64, contextName: String, name: String) {
    self.saveID = saveID
    self.contextName = contextName
    self.name = name
  }
}
