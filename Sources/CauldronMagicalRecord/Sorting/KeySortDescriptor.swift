import Cauldron
import Foundation

/// A sort descriptor that carries a key, which Foundation's own cannot on Linux.
final class KeySortDescriptor: NSSortDescriptor {
  /// What stands for the key path that Foundation asks for.
  private struct Stand {
    let text = ""
  }

  /// The attribute, perhaps behind to-one relationships, such as `employer.name`.
  let name: String

  init(_ name: String, ascending: Bool) {
    self.name = name
    super.init(keyPath: \Stand.text, ascending: ascending)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let result = ValueOrder.compare(value(of: object1), value(of: object2))
    return ascending ? result : ComparisonResult(rawValue: -result.rawValue) ?? result
  }

  override var reversedSortDescriptor: Any { KeySortDescriptor(name, ascending: !ascending) }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    return name == other.name && ascending == other.ascending
  }

  override var hash: Int { name.hashValue }

  override var description: String { "\(name):\(ascending ? "YES" : "NO")" }

  private func value(of object: Any) -> Any? {
    (object as? ManagedObject)?.value(at: PropertyPath(name))
  }
}
