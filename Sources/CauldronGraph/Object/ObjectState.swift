/// What an object is going through, as bits.
@usableFromInline
package struct ObjectState: OptionSet, Sendable {
  @usableFromInline package let rawValue: UInt32
  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The row was not read yet.
  @usableFromInline package static let fault = ObjectState(rawValue: 1)
  /// The row lies in private memory and may be written in place.
  @usableFromInline package static let writable = ObjectState(rawValue: 2)
  /// Created in this context and not saved from it.
  @usableFromInline package static let inserted = ObjectState(rawValue: 4)
  /// Edited in this context and not saved from it.
  @usableFromInline package static let updated = ObjectState(rawValue: 8)
  /// Deleted in this context and not saved from it.
  @usableFromInline package static let deleted = ObjectState(rawValue: 16)
  /// In the list of what the current event touched.
  @usableFromInline package static let inEvent = ObjectState(rawValue: 32)
  /// The row does not exist any more, or the context forgot the object.
  @usableFromInline package static let gone = ObjectState(rawValue: 64)
  /// The row could not be read; the reason is in the extras.
  @usableFromInline package static let unread = ObjectState(rawValue: 128)
  /// The context is about to write it: hooks run.
  @usableFromInline package static let saving = ObjectState(rawValue: 256)
}
