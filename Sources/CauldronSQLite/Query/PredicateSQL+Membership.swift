import CauldronModel
import Foundation

extension PredicateSQL {
  /// Up to so many values become parameters of their own; more travel in one.
  static let listLimit = 500
  /// Whether a column has one of some integers.
  mutating func isIn(_ name: String, integers: Set<Int64>) -> String {
    guard !integers.isEmpty else { return "0" }
    guard integers.count > Self.listLimit else {
      let list = integers.sorted().map { bind(.integer($0)) }
      return "\(name) IN (\(list.joined(separator: ",")))"
    }
    let json = "[" + integers.sorted().map(String.init).joined(separator: ",") + "]"
    return "\(name) IN (SELECT value FROM json_each(\(bind(.text(Array(json.utf8))))))"
  }

  /// Whether an attribute has one of some values.
  mutating func isIn(_ property: PropertyLayout, _ set: Set<AttributeScalar>) -> String {
    var integers: Set<Int64> = []
    var reals: [Double] = []
    var texts: [String] = []
    var blobs: [Data] = []
    for scalar in set {
      switch scalar {
      case .null: continue
      case .integer(let value): integers.insert(value)
      case .real(let value): if !value.isNaN { reals.append(value) }
      case .text(let text) where property.form == .decimal:
        if let number = Decimal.number(text) { texts.append(number.description) }
      case .text(let text): texts.append(text)
      case .blob(let data): blobs.append(data)
      }
    }
    let name = value(property)
    var terms: [String] = []
    if !integers.isEmpty { terms.append(isIn(name, integers: integers)) }
    if !reals.isEmpty { terms.append(isIn(name, reals: reals)) }
    if !texts.isEmpty { terms.append(isIn(name, texts: texts.sorted(), property)) }
    if !blobs.isEmpty { terms.append(isIn(name, blobs: blobs)) }
    return terms.isEmpty ? "0" : "(\(terms.joined(separator: " OR ")))"
  }

  /// Reals stay parameters: written out as JSON they might lose their last bit. `PredicateSplit`
  /// leaves no more of them than a statement takes.
  private mutating func isIn(_ name: String, reals: [Double]) -> String {
    let list = reals.sorted().map { bind(.real($0)) }
    return "\(name) IN (\(list.joined(separator: ",")))"
  }

  private mutating func isIn(
    _ name: String, texts: [String], _ property: PropertyLayout
  ) -> String {
    let isDecimal = property.form == .decimal
    guard texts.count > Self.listLimit else {
      let list = texts.map { placeholder(.text($0), property) }
      return "\(name) IN (\(list.joined(separator: ",")))"
    }
    let parts = packed(texts.map { Array($0.utf8) })
    let value = "CAST(\(parts.element) AS TEXT)"
    let term = isDecimal ? "CAST(\(value) AS NUMERIC)" : value
    return "\(name) IN (SELECT \(term) FROM \(parts.source))"
  }

  private mutating func isIn(_ name: String, blobs: [Data]) -> String {
    guard blobs.count > Self.listLimit else {
      let list = blobs.map { bind(.blob([UInt8]($0))) }
      return "\(name) IN (\(list.joined(separator: ",")))"
    }
    let parts = packed(blobs.map { [UInt8]($0) })
    return "\(name) IN (SELECT \(parts.element) FROM \(parts.source))"
  }

  /// Many byte strings in two parameters: all bytes in one, and where each begins and how long it
  /// is in the other; so no escape can change a value, not even one that holds a zero byte.
  private mutating func packed(_ list: [[UInt8]]) -> (element: String, source: String) {
    var bytes: [UInt8] = []
    var places: [String] = []
    for element in list {
      places.append("[\(bytes.count + 1),\(element.count)]")
      bytes += element
    }
    let json = Array("[\(places.joined(separator: ","))]".utf8)
    let whole = bind(.blob(bytes))
    let source = "json_each(\(bind(.text(json))))"
    return (
      "substr(\(whole), json_extract(value, '$[0]'), json_extract(value, '$[1]'))", source
    )
  }
}
