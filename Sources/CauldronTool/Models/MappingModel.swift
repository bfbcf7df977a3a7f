import CauldronArchive
import CauldronModel
import CauldronModelXML
import Foundation

/// A mapping model as Xcode edits it: what becomes of each entity when a store gets another model.
package struct MappingModel {
  /// What a property of the destination is made of.
  package struct Property {
    package let name: String
    package let isRelationship: Bool
    /// The expression; nil where the editor has left it to be the value of that name.
    package let expression: MappingExpression?
  }

  /// What the objects of an entity come from.
  package struct Entity {
    /// `Copy`, `Transform`, `Add`, `Remove`, `Custom` or `Undefined`.
    package let type: String
    package let source: String?
    package let destination: String?
    /// The class that decides in code; nil for none.
    package let policy: String?
    package let properties: [Property]
  }

  /// The name of the file.
  package let name: String
  /// The models' paths, as the file has them.
  package let source: String?
  package let destination: String?
  package let entities: [Entity]

  /// Whether a path is one of a mapping model, compiled or not.
  package static func isMapping(_ path: String) -> Bool {
    let ending = URL(filePath: path).pathExtension
    return ["xcmappingmodel", "cdm"].contains(ending) || path.hasSuffix("xcmapping.xml")
  }

  /// Reads a mapping model.
  /// - Throws: `model.invalid` where it is none, or a compiled one.
  package init(_ path: String) throws {
    let url = URL(filePath: path)
    name = url.lastPathComponent
    if url.pathExtension == "cdm" {
      throw Self.error(path, "it is compiled.", hint: "Give the .xcmappingmodel that Xcode edits.")
    }
    let file = url.pathExtension == "xml" ? url : url.appending(path: "xcmapping.xml")
    guard let data = try? Data(contentsOf: file, options: .mappedIfSafe), data.count < 1 << 24
    else {
      throw Self.error(path, "there is no xcmapping.xml that can be read.", hint: "Check the path.")
    }
    do {
      let root = try XMLReader.document([UInt8](data), allowsDoctype: true).root
      let objects = MappingObjects(root)
      guard let model = objects.all("XDDEVMAPPINGMODEL").first else {
        throw Self.error(path, "it has no mapping model.", hint: "Save it with Xcode.")
      }
      source = objects["sourcemodelpath", of: model]
      destination = objects["destinationmodelpath", of: model]
      entities = objects.entities
    } catch let failure as XMLFailure {
      throw Self.error(
        path, "line \(failure.line): \(failure.reason).", hint: "Save it with Xcode.")
    }
  }

  private static func error(_ path: String, _ reason: String, hint: String) -> CauldronError {
    CauldronError(
      .modelInvalid, "Cannot read a mapping model from \"\(path)\": \(reason)", hint: hint)
  }
}

/// The objects of a mapping model's file, which is one of Core Data's stores in XML.
private struct MappingObjects {
  private let objects: [XMLElement]
  private let byID: [String: XMLElement]

  init(_ root: XMLElement) {
    objects = root.elements("object")
    byID = Dictionary(objects.map { ($0["id"] ?? "", $0) }) { first, _ in first }
  }

  func all(_ type: String) -> [XMLElement] { objects.filter { $0["type"] == type } }

  /// The value of an attribute; nil where there is none, or an empty one.
  subscript(name: String, of object: XMLElement) -> String? {
    let text = object.elements("attribute").first { $0["name"] == name }?.text
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The entity mappings in their order.
  var entities: [MappingModel.Entity] {
    let mappings = all("XDDEVENTITYMAPPING").map { object in
      (order: self["mappingnumber", of: object].flatMap { Int($0) } ?? 0, object: object)
    }
    return mappings.sorted { $0.order < $1.order }.map { entity($0.object) }
  }

  private func entity(_ object: XMLElement) -> MappingModel.Entity {
    MappingModel.Entity(
      type: self["mappingtypename", of: object] ?? "Undefined",
      source: self["sourcename", of: object], destination: self["destinationname", of: object],
      policy: self["migrationpolicyclassname", of: object],
      properties: properties("attributemappings", of: object, areRelationships: false)
        + properties("relationshipmappings", of: object, areRelationships: true))
  }

  private func properties(
    _ name: String, of object: XMLElement, areRelationships: Bool
  ) -> [MappingModel.Property] {
    let list = object.elements("relationship").first { $0["name"] == name }?["idrefs"] ?? ""
    return list.split(separator: " ").compactMap { byID[String($0)] }.map { mapping in
      MappingModel.Property(
        name: self["name", of: mapping] ?? "", isRelationship: areRelationships,
        expression: self["valueexpressiondata", of: mapping].map(MappingExpression.init(base64:)))
    }.sorted { $0.name < $1.name }
  }
}

/// An expression of a mapping model.
package indirect enum MappingExpression: Equatable {
  /// `$source`, `$manager` and the like.
  case variable(String)
  case constant(String)
  /// The value of a path of properties.
  case path(MappingExpression, String)
  case function(MappingExpression, String, [MappingExpression])
  /// What is not understood, with the name of its class.
  case other(String)

  /// The expression as the editor writes it.
  package var text: String {
    switch self {
    case .variable(let name): "$\(name)"
    case .constant(let text): text
    case .path(let operand, let path): "\(operand.text).\(path)"
    case .function(let operand, let selector, let arguments):
      "FUNCTION(\(([operand.text, "\"\(selector)\""] + arguments.map(\.text)).joined(separator: ", ")))"
    case .other(let name): "(\(name))"
    }
  }

  /// The name of the source's property whose value it is, as it is or migrated; nil for anything else.
  package var sourceProperty: String? {
    switch self {
    case .path(.variable("source"), let path) where !path.contains("."): path
    case .function(.variable("manager"), _, let arguments): arguments.last?.sourceProperty
    default: nil
    }
  }

  /// - Parameter base64: A keyed archive of an `NSExpression`.
  init(base64: String) {
    guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
      self = .other("no Base64")
      return
    }
    do {
      var reader = try MappingExpressionReader(Array(data))
      self = try reader.expression()
    } catch {
      self = .other("an archive that cannot be read")
    }
  }
}

/// Reads expressions from a keyed archive.
private struct MappingExpressionReader {
  /// The most expressions within one another.
  private static let deepest = 20

  private var archive: KeyedArchive

  init(_ bytes: [UInt8]) throws(ArchiveFailure) { archive = try KeyedArchive(bytes) }

  mutating func expression() throws(ArchiveFailure) -> MappingExpression {
    try expression(archive.root, depth: 0)
  }

  private mutating func expression(
    _ reference: Int, depth: Int
  ) throws(ArchiveFailure) -> MappingExpression {
    guard depth < Self.deepest else { return .other("too deep") }
    let object = try archive.object(reference)
    if let variable = object.reference("NSVariable") {
      return .variable(try archive.text(variable) ?? "")
    }
    if let path = object.reference("NSKeyPath") { return .constant(try archive.text(path) ?? "") }
    if object.values["NSConstantValue"] != nil { return .constant(try constant(in: object)) }
    guard let selector = object.reference("NSSelectorName"),
      let operand = object.reference("NSOperand")
    else { return .other(object.className) }
    let name = try archive.text(selector) ?? ""
    let target = try expression(operand, depth: depth + 1)
    var arguments: [MappingExpression] = []
    for argument in try archive.elements(object.reference("NSArguments")) {
      arguments.append(try expression(argument, depth: depth + 1))
    }
    if ["valueForKeyPath:", "valueForKey:"].contains(name),
      case .constant(let path)? = arguments.first
    {
      return .path(target, path.trimmingCharacters(in: ["\""]))
    }
    return .function(target, name, arguments)
  }

  /// A constant as Swift and the editor write it.
  private mutating func constant(in object: ArchivedObject) throws(ArchiveFailure) -> String {
    guard let reference = object.reference("NSConstantValue") else { return "nil" }
    switch try archive.value(reference) {
    case .text(let text): return "\"\(text)\""
    case .integer(let number): return "\(number)"
    case .real(let number): return "\(number)"
    case .boolean(let value): return value ? "true" : "false"
    case .dictionary:
      let value = try archive.object(reference)
      return value.decimal ?? value.className
    default: return "?"
    }
  }
}
