/// How thoroughly to measure.
struct Settings {
  var runs = 5
  var isQuick = false
  /// The only one to run, for a profiler; nil for all.
  var contender: Contender?

  /// A number of rows or operations, a twentieth of it in a quick run.
  func size(_ full: Int) -> Int { isQuick ? max(20, full / 20) : full }

  /// The lanes that are to run.
  func chosen(_ lanes: [Lane<Contender>]) -> [Lane<Contender>] {
    lanes.filter { lane in contender.map { $0 == lane.key } ?? true }
  }
}

/// A number with its thousands apart.
func grouped(_ number: Int) -> String {
  var digits = String(number)
  var result = ""
  while digits.count > 3 {
    result = "," + digits.suffix(3) + result
    digits.removeLast(3)
  }
  return digits + result
}
