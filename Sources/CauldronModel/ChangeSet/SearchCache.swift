/// What a change set keeps for those who search it, under one lock.
struct SearchCache: Sendable {
  /// The rows by value, for the properties that were searched.
  var indexes: [Int: ValueIndex] = [:]
  /// The rows by what a unique key compares, by the key's number.
  var uniqueIndexes: [Int: ValueIndex] = [:]
  /// The values of the inserted rows by property, for those that were asked for repeatedly.
  var columns: ColumnCache
}
