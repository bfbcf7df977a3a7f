/// The user info of a kind of notification, with values still to be put in.
///
/// Notifications are posted whether anybody listens or not, so what they carry must cost little:
/// the keys are hashed once, and a copy of the dictionary is given its values in place.
///
/// `@unchecked Sendable` because nothing changes after `init`, and the placeholders are numbers.
struct UserInfo: @unchecked Sendable {
  typealias Key = ManagedObjectContext.NotificationKey
  typealias Part = LazyIDs.Part

  static let objects = UserInfo([.inserted, .updated, .deleted], \.objectsKey)
  static let mergedObjects = UserInfo([.inserted, .refreshed, .deleted], \.objectsKey)
  static let ids = UserInfo([.inserted, .updated, .deleted], \.idsKey)
  static let mergedIDs = UserInfo([.inserted, .updated, .deleted, .refreshed], \.idsKey)

  private typealias Index = Dictionary<AnyHashable, Any>.Index

  private let template: [AnyHashable: Any]
  private let slots: [(part: Part, index: Index)]
  private let change: Index
  private let key: (Part) -> Key

  private init(_ parts: [Part], _ key: @escaping (Part) -> Key) {
    let keys = parts.map(key) + [.change]
    let template: [AnyHashable: Any] = Dictionary(
      uniqueKeysWithValues: keys.map { (AnyHashable($0.rawValue), 0) })
    let indices = keys.map { template.index(forKey: $0.rawValue) ?? template.endIndex }
    self.template = template
    slots = Array(zip(parts, indices))
    change = indices[parts.count]
    self.key = key
  }

  /// - Parameter value: Makes the value of a part.
  func filled(from change: ContextChange, value: (Part) -> Any) -> [AnyHashable: Any] {
    var info = template
    for (part, index) in slots { info.values[index] = value(part) }
    info.values[self.change] = change
    // Few changes have more parts than their kind always has.
    for part in change.rareParts where !slots.contains(where: { $0.part == part }) {
      info[key(part).rawValue] = value(part)
    }
    return info
  }
}

extension LazyIDs.Part {
  fileprivate var objectsKey: UserInfo.Key {
    switch self {
    case .inserted: .insertedObjects
    case .updated: .updatedObjects
    case .deleted: .deletedObjects
    case .refreshed: .refreshedObjects
    case .invalidated: .invalidatedObjects
    case .invalidatedAll: .invalidatedAllObjects
    }
  }

  fileprivate var idsKey: UserInfo.Key {
    switch self {
    case .inserted: .insertedObjectIDs
    case .updated: .updatedObjectIDs
    case .deleted: .deletedObjectIDs
    case .refreshed: .refreshedObjectIDs
    case .invalidated: .invalidatedObjectIDs
    case .invalidatedAll: .invalidatedAllObjects
    }
  }
}

extension ContextChange {
  fileprivate var rareParts: [LazyIDs.Part] {
    if parts.isEmpty { return [] }
    var result: [LazyIDs.Part] = []
    if !parts.refreshed.isEmpty { result.append(.refreshed) }
    if !parts.invalidated.isEmpty { result.append(.invalidated) }
    if parts.invalidatedAll != nil { result.append(.invalidatedAll) }
    return result
  }
}
