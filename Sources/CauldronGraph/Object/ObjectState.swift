/// What an object is going through, as bits.
@usableFromInline
package struct ObjectState: OptionSet, Sendable {
  @usableFromInline package let rawValue: UInt32
  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The row was not read yet.
  @inlinable package static var fault: ObjectState { ObjectState(rawValue: 1) }
  /// The row lies in private memory and may be written in place.
  @inlinable package static var writable: ObjectState { ObjectState(rawValue: 2) }
  /// Created in this context and not saved from it.
  @inlinable package static var inserted: ObjectState { ObjectState(rawValue: 4) }
  /// Edited in this context and not saved from it.
  @inlinable package static var updated: ObjectState { ObjectState(rawValue: 8) }
  /// Deleted in this context and not saved from it.
  @inlinable package static var deleted: ObjectState { ObjectState(rawValue: 16) }
  /// In the list of what the current event touched.
  @inlinable package static var inEvent: ObjectState { ObjectState(rawValue: 32) }
  /// The row does not exist any more, or the context forgot the object.
  @inlinable package static var gone: ObjectState { ObjectState(rawValue: 64) }
  /// The row could not be read; the reason is in the extras.
  @inlinable package static var unread: ObjectState { ObjectState(rawValue: 128) }
  /// The context is about to write it: hooks run.
  @inlinable package static var saving: ObjectState { ObjectState(rawValue: 256) }
  /// Stands in for an object that a save asks; what it is told to change is no change of the object.
  static var standIn: ObjectState { ObjectState(rawValue: 1024) }
  /// In the list of what the context has not saved.
  @inlinable package static var listed: ObjectState { ObjectState(rawValue: 512) }
  /// Its row was read, and it is yet to be told.
  @inlinable package static var asleep: ObjectState { ObjectState(rawValue: 4096) }
  /// What is set of it now is no change.
  static var untracked: ObjectState { ObjectState(rawValue: 8192) }
  /// Somebody observes it, or has until a moment ago; then the context keeps it.
  @inlinable package static var observed: ObjectState { ObjectState(rawValue: 2048) }
  /// What an object begins with that its context creates.
  static var new: ObjectState { [.writable, .inserted, .inEvent] }
}
