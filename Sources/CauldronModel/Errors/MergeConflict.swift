/// Two changes of one object that could not be brought together.
///
/// ```swift
/// catch let error as CauldronError where error.code == .saveConflict {
///   for conflict in error.conflicts {
///     for property in conflict.properties { print(property.name, property.theirs, property.mine) }
///   }
/// }
/// ```
public struct MergeConflict: Sendable, Hashable {
  /// A property that both sides have changed.
  public struct Property: Sendable, Hashable {
    /// The property's name.
    public let name: String
    /// What the object showed when it was edited first.
    public let was: AttributeScalar
    /// What the other side has; nil where it has deleted the object.
    public let theirs: AttributeScalar?
    /// What was to be saved; nil where the object was deleted here.
    public let mine: AttributeScalar?
  }

  /// The object.
  public let objectID: ManagedObjectID
  /// The object's entity.
  public let entityName: String
  /// The properties in conflict; for a deletion those that the other side has changed, and none
  /// where both have deleted the object.
  public let properties: [Property]
  /// All values that the saving context showed before its edits.
  public let objectSnapshot: [String: AttributeScalar]
  /// All values of the other side; nil if the object was deleted there.
  public let persistedSnapshot: [String: AttributeScalar]?
  /// The version that the saving context had read.
  public let oldVersion: Int
  /// The version that it met; 0 for a deletion.
  public let newVersion: Int
}

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
