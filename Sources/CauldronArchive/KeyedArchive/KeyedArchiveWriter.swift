/// Collects objects and writes them as `NSKeyedArchiver` does; objects are known by their place.
package struct KeyedArchiveWriter {
  /// The reference to nil.
  package static let null = 0

  package init() {}

  private var objects: [PropertyListTree] = [.text("$null")]
  private var texts: [[UInt8]: Int] = [:]
  private var classes: [String: Int] = [:]

  /// Takes a place for an object that others refer to before it is known.
  package mutating func reserve() -> Int { append(.reference(Self.null)) }

  /// Adds a simple value.
  package mutating func append(_ value: PropertyListTree) -> Int {
    objects.append(value)
    return objects.count - 1
  }

  /// Adds a text, or finds it.
  package mutating func text(_ text: String?) -> Int {
    guard let text else { return Self.null }
    let bytes = Array(text.utf8)
    if let place = texts[bytes] { return place }
    let place = append(.text(text))
    texts[bytes] = place
    return place
  }

  /// Adds an object, or puts it where a place was taken for it.
  /// - Parameter classes: The name of its class and those of the superclasses.
  @discardableResult
  package mutating func object(
    _ classes: [String], with fields: [String: PropertyListTree], at place: Int? = nil
  ) -> Int {
    var fields = fields
    let place = place ?? reserve()
    fields["$class"] = .reference(kind(classes + ["NSObject"]))
    objects[place] = .dictionary(fields)
    return place
  }

  package mutating func array(_ elements: [Int]) -> Int {
    object(["NSMutableArray", "NSArray"], with: ["NS.objects": Self.references(elements)])
  }

  package mutating func set(_ elements: [Int]) -> Int {
    object(["NSSet"], with: ["NS.objects": Self.references(elements)])
  }

  package mutating func dictionary(_ entries: [(key: String, value: Int)]) -> Int {
    let keys = entries.map { text($0.key) }
    return object(
      ["NSMutableDictionary", "NSDictionary"],
      with: ["NS.keys": Self.references(keys), "NS.objects": Self.references(entries.map(\.value))])
  }

  /// Adds a decimal number; nil for a text that spells none.
  package mutating func decimal(_ text: String) -> Int {
    guard let decimal = ArchivedDecimal(text) else { return Self.null }
    return object(
      ["NSDecimalNumber", "NSNumber", "NSValue"],
      with: [
        "NS.mantissa": .data(decimal.mantissa), "NS.mantissa.bo": .integer(1),
        "NS.length": .integer(decimal.words.count), "NS.exponent": .integer(decimal.exponent),
        "NS.negative": .boolean(decimal.isNegative), "NS.compact": .boolean(false),
      ])
  }

  /// The archive of an object.
  package func bytes(root: Int) -> [UInt8] {
    PropertyListWriter.bytes(
      of: .dictionary([
        "$archiver": .text("NSKeyedArchiver"), "$version": .integer(100_000),
        "$top": .dictionary(["root": .reference(root)]), "$objects": .array(objects),
      ]))
  }

  private static func references(_ places: [Int]) -> PropertyListTree {
    .array(places.map { .reference($0) })
  }

  private mutating func kind(_ names: [String]) -> Int {
    if let place = classes[names[0]] { return place }
    let place = append(
      .dictionary(["$classname": .text(names[0]), "$classes": .array(names.map { .text($0) })]))
    classes[names[0]] = place
    return place
  }
}

extension PropertyListTree {
  /// A reference to nil.
  package static var null: PropertyListTree { .reference(KeyedArchiveWriter.null) }
}
