/// A weak reference that still tells, in the `deinit` of its object, which object it led to.
///
/// The object calls ``lapse()`` there, with the lock held that guards the reference.
struct LapsingReference<Object: AnyObject> {
  private weak var object: Object?
  private var identifier: ObjectIdentifier?

  init() {}

  /// Leads to an object from now on.
  init(_ object: Object) {
    self.object = object
    identifier = ObjectIdentifier(object)
  }

  /// Forgets the object.
  mutating func lapse() { (object, identifier) = (nil, nil) }

  /// Whether `lapse()` has not been called since the object was set.
  var isSet: Bool { identifier != nil }

  func leads(to object: Object) -> Bool { identifier == ObjectIdentifier(object) }

  /// The object, retained; nil where it is on its way out, or gone.
  ///
  /// Take it over outside the lock: it may be the last reference by then, and the `deinit` that
  /// follows needs the lock.
  var retained: Unmanaged<Object>? { object.map(Unmanaged.passRetained) }
}
