/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
  /// How many records were read.
  public let records: Int
  /// How many bytes were read.
  public let bytes: Int
  /// How many bytes there are; nil where nobody knows.
  public let totalBytes: Int?
  /// For how long it has run.
  public let elapsed: Duration

  package init(records: Int, bytes: Int, totalBytes: Int?, elapsed: Duration) {
    self.records = records
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.elapsed = elapsed
  }
}

extension ImportProgress {
  /// Records a second.
  public var rate: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(records) / seconds : 0
  }

  /// The part that is done, from 0 to 1; nil where nobody knows how much there is.
  public var fraction: Double? {
    totalBytes.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 }
  }

  /// How long it will take still, if it goes on like this; nil where nobody knows how much there is.
  public var timeLeft: Duration? {
    guard let fraction, fraction > 0 else { return nil }
    return elapsed * ((1 - fraction) / fraction)
  }
}

extension ImportProgress: CustomStringConvertible {
  /// `12000 records (40 %), 31000 a second, 2 s left`.
  public var description: String {
    let part = fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
    let left = timeLeft.map { ", \(Int(($0 / .seconds(1)).rounded(.up))) s left" } ?? ""
    return "\(records) records\(part), \(Int(rate)) a second\(left)"
  }
}
