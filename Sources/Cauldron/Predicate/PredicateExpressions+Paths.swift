import CauldronGraph
import CauldronModel
import Foundation

extension PredicateExpressions.KeyPath: PredicateReading {
  func read(_ reader: PredicateReader) throws -> PredicateTerm {
    switch try reader.read(root) {
    case .object(let path):
      guard let type = Root.Output.self as? ManagedObject.Type else {
        throw reader.refusal("a key path from \(Root.Output.self)")
      }
      return try reader.follow(keyPath, from: type, at: path, to: Output.self)
    case .objects(let path, let filter):
      switch PredicateReader.name(keyPath, of: Root.Output.self) ?? name {
      case "count": return .value(.aggregate(.count, of: path, nil, where: filter))
      case "isEmpty": return .condition(.quantified(.none, path, filter ?? .constant(true)))
      default:
        throw reader.refusal(
          "a property of the objects of \(path.text) as a whole", hint: PredicateReader.form(path),
          at: path)
      }
    case .value(let value):
      let property = PredicateReader.name(keyPath, of: Root.Output.self) ?? name
      return try reader.measure(property, value, isText: Root.Output.self == String.self)
    case .constant(let value as Root.Output): return .constant(value[keyPath: keyPath])
    default: throw reader.refusal("a property of \(Root.Output.self)")
    }
  }

  /// The property where it is one that collections have.
  private var name: String? {
    switch kind {
    case .collectionCount: "count"
    case .collectionIsEmpty: "isEmpty"
    case .collectionFirst, .bidirectionalCollectionLast, nil: nil
    @unknown default: nil
    }
  }
}

extension PredicateReader {
  /// What a property of an object leads to.
  fileprivate func follow<Value>(
    _ keyPath: AnyKeyPath, from type: ManagedObject.Type, at path: PropertyPath,
    to value: Value.Type
  ) throws -> PredicateTerm {
    if let entity = type as? any ManagedEntity.Type, keyPath == Self.objectID(of: entity) {
      return .objectID(path)
    }
    guard let name = KeyPathTable.table(for: type)[keyPath] else {
      let text = KeyPathDescription(keyPath, from: type).text
      let whole = path.steps.isEmpty ? text : "\(path.text).\(text)"
      throw refusal(
        "\(whole), which is no property of the entity",
        hint: "Use a stored property, or filter the fetched objects.",
        at: PropertyPath(steps: [whole]))
    }
    let end = path.appending(name)
    switch value {
    case is any ToOneStep.Type: return .object(end)
    case is any ManyObjects.Type: return .objects(end, where: nil)
    default: return .value(.property(end))
    }
  }

  private static func objectID<Object: ManagedEntity>(of type: Object.Type) -> AnyKeyPath {
    \Object.objectID
  }

  /// The name of a property of a type that is none of an entity.
  fileprivate static func name(_ keyPath: AnyKeyPath, of type: Any.Type) -> String? {
    (type as? any KeyPathSteps.Type)?.steps[keyPath]
  }

  /// What is asked of a text or of bytes as a whole.
  fileprivate func measure(
    _ name: String?, _ value: QueryExpression, isText: Bool
  ) throws -> PredicateTerm {
    var path: PropertyPath?
    if case .property(let found) = value { path = found }
    switch name {
    case "isEmpty":
      let nothing = AttributeScalar.blob(Data())
      return .condition(.comparison(value, .equal, .value(isText ? .text("") : nothing), []))
    case "count":
      throw refusal(
        "the number of characters of \(value)",
        hint: "Use its UTF-16 length, with the builder: { $0.\(value).length … }.", at: path)
    default:
      throw refusal(
        "a property of the value \(value)", hint: "Compare the value as a whole.", at: path)
    }
  }
}

/// The objects of a to-many relationship.
private protocol ManyObjects {}

extension ToMany: ManyObjects {}
extension OrderedToMany: ManyObjects {}
