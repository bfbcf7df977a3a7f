import CCauldron

/// Leads to an object for as long as it exists, like a weak reference, but under somebody's lock.
///
/// A weak reference gives its object a side table, and every retain and release of the object goes
/// by way of that from then on: twice the time, for each of many in a save. This one asks of the
/// object that it calls `lapse()` in its `deinit`, with the same lock held.
struct LapsingReference<Object: AnyObject> {
  private var pointer: UnsafeMutableRawPointer?

  init() {}

  /// Leads to an object from now on.
  init(_ object: Object) { pointer = Unmanaged.passUnretained(object).toOpaque() }

  /// Forgets the object.
  mutating func lapse() { pointer = nil }

  /// Whether `lapse()` has not been called since the object was set.
  var isSet: Bool { pointer != nil }

  func leads(to object: Object) -> Bool {
    pointer == Unmanaged.passUnretained(object).toOpaque()
  }

  /// The object, retained; nil where it is on its way out, or gone.
  ///
  /// Take it over outside the lock: it may be the last reference by then, and the `deinit` that
  /// follows needs the lock.
  var retained: Unmanaged<Object>? {
    guard let pointer, cauldron_try_retain(pointer) else { return nil }
    return Unmanaged.fromOpaque(pointer)
  }
}
