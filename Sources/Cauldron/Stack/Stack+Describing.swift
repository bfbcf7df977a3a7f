import Foundation

extension Stack: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Where the store is and the model's entities; below it the contexts, each under the one that it
  /// saves into, with the objects whose changes wait there; and the saves under way.
  ///
  /// ```swift
  /// print(Stack.default)
  /// // <Stack "/data/office.sqlite" (writerRoot, model "Model": Company, Person)>
  /// // └ Root Saving Context: private queue
  /// //   └ Default Context: main queue, 2 unsaved
  /// //     └ Import: private queue, 500 unsaved
  /// // save 7 (Main.swift:12) in Default Context, 2/3
  /// ```
  /// Any thread may print a stack; what an event that runs just now has changed is not counted.
  public var description: String {
    ([line] + coordinator.drawing).joined(separator: "\n")
  }

  /// The first line.
  private var line: String {
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
        "contexts": coordinator.drawing,
      ], displayStyle: .class)
  }

  private var entityNames: String {
    let names = model.entityLayouts.map(\.name)
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return names.prefix(8).joined(separator: ", ") + rest
  }
}
