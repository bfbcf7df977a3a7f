import CauldronArchive
import CauldronModel
import Foundation

extension ModelReader {
  /// The default of an attribute; nil where there is none, or none that its type allows.
  mutating func defaultValue(
    of object: ArchivedObject, as type: AttributeType
  ) throws(ArchiveFailure) -> AttributeScalar? {
    guard let reference = object.reference("NSDefaultValue") else { return nil }
    let value = try archive.value(reference)
    if case .dictionary = value {
      // Of a transformable attribute this is an object of the program's own.
      guard ![.transformable, .composite, .undefined].contains(type) else { return nil }
      return try scalar(of: archive.object(reference), as: type)
    }
    return Self.scalar(of: value, as: type)
  }

  /// A value that property lists know themselves.
  private static func scalar(
    of value: PropertyListObject, as type: AttributeType
  ) -> AttributeScalar? {
    switch (type, value) {
    case (.string, .text(let text)): return .text(text)
    case (.binary, .data(let bytes)): return .blob(Data(bytes))
    case (.date, .date(let seconds)) where !seconds.isNaN: return .real(seconds)
    case (.boolean, _): return value.number.map { .integer($0 == 0 ? 0 : 1) }
    case (.integer16, _), (.integer32, _), (.integer64, _):
      guard let range = type.integerRange, let number = value.wholeNumber,
        range.contains(number)
      else { return nil }
      return .integer(number)
    case (.double, _), (.float, _):
      guard let number = value.number, !number.isNaN else { return nil }
      return .real(type == .float ? Double(Float(number)) : number)
    case (.decimal, .integer(let number)): return .text("\(number)")
    case (.decimal, .real(let number)):
      return DecimalNumber("\(number)").map { .text($0.description) }
    default: return nil
    }
  }

  /// A value that is archived as an object of Foundation.
  private mutating func scalar(
    of object: ArchivedObject, as type: AttributeType
  ) throws(ArchiveFailure) -> AttributeScalar? {
    switch type {
    case .date:
      guard let seconds = object.values["NS.time"]?.number, !seconds.isNaN else { return nil }
      return .real(seconds)
    case .uuid:
      guard let bytes = object.data("NS.uuidbytes"), bytes.count == 16 else { return nil }
      return .blob(Data(bytes))
    case .uri:
      guard object.reference("NS.base") == nil else { return nil }
      return try archive.text(object.reference("NS.relative")).map { .text($0) }
    case .binary: return object.data("NS.data").map { .blob(Data($0)) }
    case .string: return try archive.text(object.reference("NS.string")).map { .text($0) }
    case .decimal: return object.decimal.map { .text($0) }
    default: return nil
    }
  }
}

extension ArchivedObject {
  fileprivate func data(_ key: String) -> [UInt8]? {
    guard case .data(let bytes) = values[key] else { return nil }
    return bytes
  }
}

extension PropertyListObject {
  /// The value as a whole number; nil where it is none.
  fileprivate var wholeNumber: Int64? {
    if case .integer(let value) = self { return Int64(value) }
    return number.flatMap { Int64(exactly: $0) }
  }
}

extension ModelReader {
  /// What an attribute is derived from, as Core Data describes it; nil for what is no call of functions with
  /// key paths.
  mutating func derivation(_ object: ArchivedObject) throws(ArchiveFailure) -> String? {
    guard let reference = object.reference("NSDerivationExpression"),
      object.reference("NSFilteringPredicate") == nil
    else { return nil }
    // An expression of more parts is nobody's.
    var most = 32
    return try expression(archive.object(reference), most: &most).map { Derivation($0).source }
  }

  private mutating func expression(
    _ object: ArchivedObject, most: inout Int
  ) throws(ArchiveFailure) -> String? {
    most -= 1
    guard most >= 0, let arguments = object.reference("NSArguments") else { return nil }
    let references = try archive.elements(arguments)
    if object.className == "NSKeyPathExpression" {
      guard references.count == 1 else { return nil }
      return try archive.text(archive.object(references[0]).reference("NSKeyPath"))
    }
    guard object.className == "NSFunctionExpression",
      let name = try archive.text(object.reference("NSSelectorName"))
    else { return nil }
    var texts: [String] = []
    for reference in references {
      guard let text = try expression(archive.object(reference), most: &most) else { return nil }
      texts.append(text)
    }
    return "\(name)(\(texts.joined(separator: ", ")))"
  }
}
