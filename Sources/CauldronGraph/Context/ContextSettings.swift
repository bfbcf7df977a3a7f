import CauldronModel

/// What a program sets on a context; read and written from any thread.
struct ContextSettings {
  var name: String
  /// What decides about conflicts when the context saves.
  var mergePolicy = MergePolicy.error
  /// Whether the context takes in what siblings and its parent save.
  var isMerging = false
  /// Whether a block runs that is saved when it has ended, as a whole or not at all.
  var savesAtEnd = false
}
