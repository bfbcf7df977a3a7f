import CauldronModel
public import Foundation

extension ManagedObjectContext {
  /// Whether the context keeps objects without changes although nobody else holds them; false by default.
  ///
  /// Otherwise they leave at the end of an event. A context that keeps them grows with all that is read.
  public var retainsRegisteredObjects: Bool {
    get { core.settings.withLock { $0.retainsObjects } }
    set { core.settings.setHabit { $0.retainsObjects = newValue } }
  }

  /// For how many seconds a row that the context has read for a fault serves other faults of it; negative,
  /// the default, for ever, 0 for not at all.
  ///
  /// It is about faults, and not about objects that show values. Commits of this process are always taken
  /// in, and so are those of others where lists or ``Stack`` watch the file; it is for programs that share
  /// a file and watch nothing. Of a row that somebody else has read the age is not known, so the first
  /// fault of it reads it again.
  public var stalenessInterval: TimeInterval {
    get { core.settings.withLock { $0.stalenessInterval } }
    set { core.settings.setHabit { $0.stalenessInterval = newValue } }
  }

  /// Whether an object whose row turns out to be missing counts as deleted and shows zero values; true by
  /// default.
  ///
  /// Where it is false, the object shows zero values, too, for a getter never fails; but it is not deleted,
  /// the error is logged, ``ManagedObject/load()`` throws it, and so does a save that would write the
  /// object.
  public var shouldDeleteInaccessibleFaults: Bool {
    get { core.settings.withLock { $0.deletesInaccessible } }
    set { core.settings.withLock { $0.deletesInaccessible = newValue } }
  }
}
