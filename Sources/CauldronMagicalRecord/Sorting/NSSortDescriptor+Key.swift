import Cauldron
public import Foundation

extension NSSortDescriptor: ClassFactory {}

// Foundation has the initializer on Linux, too, but marked unavailable, so that this one is taken.

extension NSSortDescriptor {
  /// Makes a sort descriptor of a key, for a request.
  ///
  /// ```swift
  /// request.sortDescriptors = [NSSortDescriptor(key: "employer.name", ascending: true)]
  /// ```
  /// - Parameters:
  ///   - key: An attribute, perhaps behind to-one relationships; nil for the object itself, which has no
  ///     order. Whoever uses the descriptor checks it.
  ///   - ascending: Whether the smallest value comes first.
  @available(*, deprecated, message: "use 'sortedBy: \\.name', or 'SortKey(\"name\")'")
  public convenience init(key: String?, ascending: Bool) {
    self.init {
      let made = KeySortDescriptor(key ?? "SELF", ascending: ascending)
      guard let made = made as? Self else {
        trap("\(Self.self) cannot be made of a key; NSSortDescriptor can.")
      }
      return made
    }
  }

  /// The key that the descriptor was made of; nil for none.
  public var key: String? { (self as? KeySortDescriptor)?.name }

  private convenience init(_ make: () -> Self) { self.init(making: make) }
}
