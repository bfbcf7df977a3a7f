import Foundation

extension Stack: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Where the store is, how the contexts hang together, and the model's entities, on one line.
  public var description: String {
    let place = coordinator.storeURL.map { "\"\($0.path)\"" } ?? "in memory"
    let state = coordinator.isClosed ? ", closed" : ""
    return "<Stack \(place) (\(layout), model \"\(model.name)\": \(entityNames)\(state))>"
  }

  /// The same.
  public var debugDescription: String { description }

  /// The store's file, the layout and the contexts.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "store": coordinator.storeURL?.path ?? "in memory", "layout": layout,
        "rootSavingContext": rootSavingContext, "defaultContext": defaultContext,
      ], displayStyle: .class)
  }

  private var entityNames: String {
    let names = model.entityLayouts.map(\.name)
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return names.prefix(8).joined(separator: ", ") + rest
  }
}
