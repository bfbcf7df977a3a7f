/// Lets an initializer of a class give an object of a subclass.
///
/// A convenience initializer cannot assign `self`, but one of a protocol can, and it may call that.
protocol ClassFactory {}

extension ClassFactory {
  /// Gives what a closure makes.
  init(making make: () -> Self) { self = make() }
}
