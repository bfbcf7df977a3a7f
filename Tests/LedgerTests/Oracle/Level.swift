/// What a context has not passed on, as plain values; the root's parent is what is committed.
final class Level {
  private let parent: Level?
  /// Oldest first.
  var layers: [Edits] = []
  /// What is on disk; of the root alone.
  var committed: View = [:]

  init(parent: Level?) { self.parent = parent }

  /// What the context sees.
  var view: View { layers.reduce(parent?.view ?? committed) { $0.applying($1) } }

  /// Whether the parent has to refuse the context's layers.
  var isRefused: Bool {
    guard let parent else { return false }
    var view = parent.view
    for layer in layers {
      if view.conflicts(with: layer) { return true }
      view = view.applying(layer)
    }
    return false
  }

  /// Hands everything to the parent.
  func push() {
    parent?.layers += layers
    layers = []
  }

  /// The first layers are on disk now.
  func commit(_ count: Int) {
    committed = layers.prefix(count).reduce(committed) { $0.applying($1) }
    layers.removeFirst(count)
  }
}
