/// Numbers as people read them.
package enum Quantity {
  /// `63,666`.
  package static func count(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += "," }
      grouped.append(digit)
    }
    return (number < 0 ? "-" : "") + grouped
  }

  /// `1 row`, `3 rows`.
  package static func of(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `512 bytes`, `1.2 KB`, `3.4 MB`.
  package static func bytes(_ number: Int) -> String {
    var size = Double(number)
    guard size >= 1000 else { return of(number, "byte") }
    var unit = ""
    for next in ["KB", "MB", "GB", "TB"] where size >= 1000 {
      size /= 1000
      unit = next
    }
    let tenths = Int((size * 10).rounded())
    return "\(count(tenths / 10)).\(tenths % 10) \(unit)"
  }

  /// `0.1 s`.
  package static func seconds(_ duration: Duration) -> String {
    let tenths =
      Int((Double(duration.components.seconds) * 10).rounded())
      + Int((Double(duration.components.attoseconds) * 1e-17).rounded())
    return "\(count(tenths / 10)).\(tenths % 10) s"
  }
}
