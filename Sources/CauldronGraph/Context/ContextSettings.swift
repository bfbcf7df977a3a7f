import CauldronModel

/// What a program sets on a context; read and written from any thread.
struct ContextSettings {
  var name: String
  /// What decides about conflicts when the context saves.
  var mergePolicy = MergePolicy.error
  /// Whether the context takes in what siblings and its parent save.
  var isMerging = false
  /// Whether the context saves once, when a block ends, all that was done in it or nothing.
  var savesAtEnd = false
}
