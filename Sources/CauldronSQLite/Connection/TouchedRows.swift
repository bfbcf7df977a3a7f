/// The rows that triggers have touched since somebody asked last, as they tell by two functions.
///
/// One connection has it, which one thread at a time uses.
final class TouchedRows {
  /// The keys, by the number of the row's entity.
  private var keys: [Int64: Set<Int64>] = [:]

  func note(entity: Int64, key: Int64) { keys[entity, default: []].insert(key) }

  func forget() {
    if !keys.isEmpty { keys = [:] }
  }

  /// The keys in ascending order.
  func take() -> [(entity: Int64, keys: [Int64])] {
    defer { forget() }
    return keys.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
  }
}
