import Cauldron
import CauldronModel
import Foundation

/// Collects what a context tells.
final class Changes: Sendable {
  private let list = Locked<[ContextChange]>([])

  var all: [ContextChange] { list.withLock { $0 } }

  func append(_ change: ContextChange) { list.withLock { $0.append(change) } }
}

/// The IDs of created objects in a context's notifications.
///
/// `@unchecked Sendable` because the token is not touched before the end.
final class Notified: @unchecked Sendable {
  private let list = Locked<[ManagedObjectID]>([])
  private var token: (any NSObjectProtocol)?

  init(_ name: Notification.Name, _ context: ManagedObjectContext) {
    let list = self.list
    token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
      let key = ManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
      guard let ids = $0.userInfo?[key] as? LazyIDs else { return }
      list.withLock { $0 += ids.ids }
    }
  }

  deinit { if let token { NotificationCenter.default.removeObserver(token) } }

  var inserted: [ManagedObjectID] { list.withLock { $0 } }
}
