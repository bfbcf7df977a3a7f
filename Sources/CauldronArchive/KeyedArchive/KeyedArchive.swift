/// The objects that `NSKeyedArchiver` has written, one at a time.
///
/// They may refer to one another in circles, so that none is followed by itself.
package struct KeyedArchive {
  /// The longest archive that is read, in bytes; those of large models are a tenth of it.
  package static let longest = PropertyListReader.longest

  private var list: PropertyListReader
  /// The number of each object in the list.
  private let objects: [Int]
  /// The object that was archived.
  package let root: Int
  private var classNames: [Int: String] = [:]
  /// How much may still be asked for: objects may be asked for more than once.
  private var budget: Int

  package init(_ bytes: [UInt8]) throws(ArchiveFailure) {
    list = try PropertyListReader(bytes)
    guard list.isShallow() else { throw .archive("it is nested too deeply") }
    budget = 2 * bytes.count
    let frame = try list.entries(of: list.top)
    guard frame["$archiver"] == .text("NSKeyedArchiver"),
      case .array(let objects) = frame["$objects"],
      case .dictionary(let keys, let values) = frame["$top"], keys.count == 1,
      case .reference(let root) = try list.object(values[0])
    else { throw .archive("it is not made by a keyed archiver") }
    self.objects = objects
    self.root = root
  }

  /// What a reference leads to: an object, or a simple value such as a text.
  package mutating func value(_ reference: Int) throws(ArchiveFailure) -> PropertyListObject {
    try spend(1)
    guard objects.indices.contains(reference) else {
      throw .archive("a reference leads to no object")
    }
    return try list.object(objects[reference])
  }

  /// The object that a reference leads to.
  package mutating func object(_ reference: Int) throws(ArchiveFailure) -> ArchivedObject {
    guard case .dictionary(let keys, _) = try value(reference) else {
      throw .archive("a reference leads to no object")
    }
    try spend(keys.count)
    let values = try list.entries(of: objects[reference])
    guard case .reference(let kind) = values["$class"] else {
      throw .archive("an object has no class")
    }
    return ArchivedObject(className: try className(kind), values: values)
  }

  /// The text that a reference leads to; nil where it is none.
  package mutating func text(_ reference: Int?) throws(ArchiveFailure) -> String? {
    guard let reference else { return nil }
    switch try value(reference) {
    case .text(let text): return text
    case .dictionary: return try mutableText(object(reference))
    default: return nil
    }
  }

  /// The characters of a text that could be changed when it was archived; nil where it is none.
  private mutating func mutableText(
    _ object: ArchivedObject
  ) throws(ArchiveFailure) -> String? {
    guard ["NSMutableString", "NSString"].contains(object.className),
      let characters = object.reference("NS.string"), case .text(let text) = try value(characters)
    else { return nil }
    return text
  }

  /// The references in a collection; of a dictionary those to the values.
  package mutating func elements(_ reference: Int?) throws(ArchiveFailure) -> [Int] {
    guard let reference else { return [] }
    var collection = try object(reference)
    // A dictionary with fixed keys: an array in their order, with gaps.
    let gap = collection.reference("emptyToken")
    if let values = collection.reference("values") { collection = try object(values) }
    guard case .array(let elements) = collection.values["NS.objects"] else {
      throw .archive("\(collection.className) is no collection")
    }
    try spend(elements.count)
    var result: [Int] = []
    for element in elements {
      guard case .reference(let number) = try list.object(element) else {
        throw .archive("a collection holds no reference")
      }
      if number != gap { result.append(number) }
    }
    return result
  }

  /// The references in a list that lies in an object.
  mutating func references(
    _ object: ArchivedObject, at key: String
  ) throws(ArchiveFailure) -> [Int] {
    guard case .array(let elements) = object.values[key] else {
      throw .archive("\(object.className) is no collection")
    }
    try spend(elements.count)
    var result: [Int] = []
    for element in elements {
      guard case .reference(let number) = try list.object(element) else {
        throw .archive("a collection holds no reference")
      }
      result.append(number)
    }
    return result
  }

  private mutating func className(_ reference: Int) throws(ArchiveFailure) -> String {
    if let name = classNames[reference] { return name }
    guard objects.indices.contains(reference),
      case .text(let name) = try list.entries(of: objects[reference])["$classname"]
    else { throw .archive("a class has no name") }
    classNames[reference] = name
    return name
  }

  private mutating func spend(_ count: Int) throws(ArchiveFailure) {
    guard count <= budget else { throw .archive("it would take too long to read") }
    budget -= count
  }
}

/// An object of a keyed archive: its class, and its values by their keys.
package struct ArchivedObject {
  package let className: String
  package let values: [String: PropertyListObject]

  /// Whether a truth value is there and true.
  package func flag(_ key: String) -> Bool { values[key]?.number.map { $0 != 0 } ?? false }

  /// A whole number; nil where there is none.
  package func integer(_ key: String) -> Int? {
    switch values[key] {
    case .integer(let value): value
    case .unsigned(let value): Int(truncatingIfNeeded: value)
    case .boolean(let value): value ? 1 : 0
    default: nil
    }
  }

  /// A reference to another object, or to nil; nil where there is none.
  func anyReference(_ key: String) -> Int? {
    if case .reference(let number) = values[key] { number } else { nil }
  }

  /// A reference to another object; nil where there is none or it leads to nil.
  package func reference(_ key: String) -> Int? {
    guard case .reference(let number) = values[key], number != 0 else { return nil }
    return number
  }
}

extension PropertyListObject {
  /// The value as a number; nil where it is none.
  package var number: Double? {
    switch self {
    case .boolean(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
