extension RowPointer {
  /// The greatest version that a stored row may have.
  ///
  /// It is 16 million less than the greatest number of 32 bits, so that no run of edits between two
  /// saves counts beyond that.
  @inlinable package static var greatestVersion: Int32 { 0x7EFF_FFFF }
}
