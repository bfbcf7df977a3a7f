/// A reference that keeps nothing alive.
struct Weak {
  weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}
