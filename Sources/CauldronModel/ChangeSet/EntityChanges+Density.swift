extension EntityChanges {
  /// Whether the rows as they are now are few for the memory that they lie in: whoever keeps them
  /// for long had better copy them.
  ///
  /// A save of one row comes in a block of its own.
  /// - Complexity: O(rows), mostly much less.
  package var isSparse: Bool {
    let enough = memory.capacity / 4
    var bytes = 0
    for row in inserted {
      bytes += row.size
      if bytes >= enough { return false }
    }
    for update in updated {
      bytes += update.row.size
      if bytes >= enough { return false }
    }
    return true
  }
}
