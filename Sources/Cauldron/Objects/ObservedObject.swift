import CauldronGraph

/// An object whose properties, read here, are observed.
///
/// ``ManagedEntity/observed`` gives it.
@dynamicMemberLookup
public struct ObservedObject<Object: ManagedEntity> {
  private let object: Object

  init(_ object: Object) { self.object = object }

  /// Reads a property, and has the observation that runs now, if one does, be told of its next change.
  ///
  /// Of a computed property the whole object is observed: whatever changes in it, is told.
  /// - Complexity: As the property's getter, and one to three microseconds.
  public subscript<Value>(dynamicMember path: KeyPath<Object, Value>) -> Value {
    let value = object[keyPath: path]
    object.noteAccess(to: KeyPathTable.index(of: path))
    return value
  }
}

extension ManagedEntity {
  /// The object, to read properties that are observed.
  ///
  /// ```swift
  /// withObservationTracking {
  ///   label.text = "\(person.observed.name), \(company.observed.employees.count)"
  /// } onChange: {
  ///   Task { @MainActor in redraw() }
  /// }
  /// for await name in Observations({ person.observed.name }) { … }
  /// ```
  /// An observation is told of a change once, whoever makes it, and when the new values can be read: of
  /// edits at the end of the event, as notifications are, and so by
  /// ``ManagedObjectContext/processPendingChanges()`` and `save()`; of what others saved when the context has
  /// taken it in. Of a deletion all observers of the object are told. A relationship is observed by itself,
  /// and not the properties of what it leads to: `person.observed.employer?.observed.name`.
  ///
  /// The context keeps what is observed. Where it merges by itself, commits of other processes are
  /// noticed, too, while something is observed. Use it where the object may be used.
  /// - Complexity: O(1). Objects that nobody observes cost no more than they did.
  public var observed: ObservedObject<Self> { ObservedObject(self) }
}
