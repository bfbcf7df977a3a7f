import CauldronModel

/// Arithmetic on numbers that come from a file, in which any number may stand.
extension Int64 {
  /// - Parameter what: What the sum is of, for the error: `the keys of ZTAG`.
  /// - Throws: `store.corrupt` where the sum is beyond 64 bits.
  func plus(_ other: Int64, _ what: @autoclosure () -> String) throws -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(other)
    if isBeyond { throw CauldronError.beyondNumbers(what(), self, other) }
    return sum
  }

  /// - Throws: `store.corrupt` where the difference is beyond 64 bits.
  func minus(_ other: Int64, _ what: @autoclosure () -> String) throws -> Int64 {
    let (difference, isBeyond) = subtractingReportingOverflow(other)
    if isBeyond { throw CauldronError.beyondNumbers(what(), self, other) }
    return difference
  }
}

extension CauldronError {
  fileprivate static func beyondNumbers(_ what: String, _ a: Int64, _ b: Int64) -> CauldronError {
    CauldronError(
      .storeCorrupt, "Cannot use the store: \(what) are beyond what can be counted (\(a), \(b)).",
      hint: "Restore a copy with `cauldron restore`.")
  }
}
