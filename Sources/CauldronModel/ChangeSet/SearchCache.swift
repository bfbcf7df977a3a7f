/// What a change set keeps for those who search it, under one lock.
struct SearchCache: Sendable {
  /// The rows by value, for the properties that were searched.
  var indexes: [Int: ValueIndex] = [:]
  /// The values of the inserted rows by property, for those that were asked for repeatedly.
  var columns: ColumnCache
}
