import CauldronModel
import Foundation

/// A list travels in one or two parameters, however long it is, so that a condition has one text
/// and its statement is prepared once. A list of one value is a comparison, which can do more: the
/// rows that an index finds for it are in the order of their keys.
extension PredicateSQL {
  /// Whether a column has one of some integers.
  func isIn(_ name: SQLFragment, integers: Set<Int64>) -> SQLFragment {
    guard let first = integers.first else { return "0" }
    if integers.count == 1 { return "\(name) = \(bind: first)" }
    let json = "[" + integers.sorted().map(String.init).joined(separator: ",") + "]"
    return "\(name) IN (SELECT value FROM json_each(\(bind: .text(Array(json.utf8)))))"
  }

  /// Whether an attribute has one of some values.
  func isIn(_ property: PropertyLayout, _ set: Set<AttributeScalar>) -> SQLFragment {
    isIn(value(property), set, isDecimal: property.form == .decimal)
  }

  /// Whether what a piece of SQL gives is one of some values.
  func isIn(
    _ name: SQLFragment, _ set: Set<AttributeScalar>, isDecimal: Bool
  ) -> SQLFragment {
    var integers: Set<Int64> = []
    var reals: [Double] = []
    var texts: [String] = []
    var blobs: [Data] = []
    for scalar in set {
      switch scalar {
      case .null: continue
      case .integer(let value): integers.insert(value)
      case .real(let value): if !value.isNaN { reals.append(value) }
      case .text(let text) where isDecimal:
        if let number = DecimalNumber(text) { texts.append(number.description) }
      case .text(let text): texts.append(text)
      case .blob(let data): blobs.append(data)
      }
    }
    var terms: [SQLFragment] = []
    if !integers.isEmpty { terms.append(isIn(name, integers: integers)) }
    if !reals.isEmpty { terms.append(isIn(name, reals: reals.sorted())) }
    if !texts.isEmpty { terms.append(isIn(name, texts: texts.sorted(), isDecimal: isDecimal)) }
    if !blobs.isEmpty { terms.append(isIn(name, blobs: blobs)) }
    return terms.isEmpty ? "0" : "(\(terms.joined(by: " OR ")))"
  }

  /// Reals stay parameters, since written out as JSON they might lose their last bit. One of them
  /// is repeated until there is a power of two of them, so that there are few texts.
  /// `PredicateSplit` leaves no more than a statement takes.
  private func isIn(_ name: SQLFragment, reals: [Double]) -> SQLFragment {
    if reals.count == 1 { return "\(name) = \(bind: .real(reals[0]))" }
    let missing = Self.parameterCount(ofReals: reals.count) - reals.count
    let list = reals + repeatElement(reals[0], count: missing)
    let marks: [SQLFragment] = list.map { "\(bind: .real($0))" }
    return "\(name) IN (\(marks.joined(by: ",")))"
  }

  /// How many parameters so many reals take.
  static func parameterCount(ofReals count: Int) -> Int {
    count < 2 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
  }

  private func isIn(
    _ name: SQLFragment, texts: [String], isDecimal: Bool
  ) -> SQLFragment {
    if texts.count == 1 { return "\(name) = \(placeholder(texts[0], isDecimal: isDecimal))" }
    let type: SQLFragment = isDecimal ? "TEXT) AS NUMERIC)" : "TEXT)"
    let start: SQLFragment = isDecimal ? "CAST(CAST(" : "CAST("
    return Self.isIn(name, texts.map { Array($0.utf8) }) { "\(start)\($0) AS \(type)" }
  }

  private func isIn(_ name: SQLFragment, blobs: [Data]) -> SQLFragment {
    if blobs.count == 1 { return "\(name) = \(bind: .blob([UInt8](blobs[0])))" }
    return Self.isIn(name, blobs.map { [UInt8]($0) }) { $0 }
  }

  /// Many byte strings in two parameters: all bytes in one, and where each begins and how long it
  /// is in the other; so no escape can change a value, not even one that holds a zero byte.
  private static func isIn(
    _ name: SQLFragment, _ list: [[UInt8]], _ term: (SQLFragment) -> SQLFragment
  ) -> SQLFragment {
    var bytes: [UInt8] = []
    var places: [String] = []
    for element in list {
      places.append("\"\(bytes.count + 1)\":\(element.count)")
      bytes += element
    }
    let element = term("substr(\(bind: .blob(bytes)), key, value)")
    let json = Array("{\(places.joined(separator: ","))}".utf8)
    return "\(name) IN (SELECT \(element) FROM json_each(\(bind: .text(json))))"
  }
}
