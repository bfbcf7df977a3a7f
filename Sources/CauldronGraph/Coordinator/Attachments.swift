import CauldronModel

/// What has to end before the store is closed.
protocol EndingAttachment: Sendable {
  func end()
}

/// What the floors above keep once for all contexts of a coordinator, which knows nothing of it.
final class Attachments: Sendable {
  private let values = Locked<[ObjectIdentifier: any Sendable]>([:])

  /// The value of a type, made when it is asked for first.
  func value<Value: Sendable>(_ make: () -> Value) -> Value {
    values.withLock { values in
      if let known = values[ObjectIdentifier(Value.self)] as? Value { return known }
      let made = make()
      values[ObjectIdentifier(Value.self)] = made
      return made
    }
  }

  /// The store is about to be closed.
  func end() {
    let all = values.withLock { $0.values.compactMap { $0 as? any EndingAttachment } }
    for attachment in all { attachment.end() }
  }
}
