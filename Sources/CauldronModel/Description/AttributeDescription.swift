/// Describes one attribute of an entity: its name, type, whether it may be nil, and its default.
///
/// ```swift
/// AttributeDescription(name: "age", type: .integer64, isOptional: false, default: .constant(.integer(0)))
/// ```
public struct AttributeDescription: Sendable {
  /// The value that a new object starts with.
  public enum Default: Sendable {
    /// No default: the attribute starts as nil.
    case none
    /// The same value for every object.
    case constant(AttributeScalar)
    /// A value made anew for each object, such as `UUID()`.
    case computed(@Sendable () -> AttributeScalar)
  }

  /// The property's name.
  public var name: String
  /// The type that is stored.
  public var type: AttributeType
  /// Whether nil is allowed at save.
  public var isOptional: Bool
  /// Whether the value is kept in memory only; a transient attribute has no column.
  public var isTransient: Bool
  /// The value that a new object starts with.
  public var defaultValue: Default
  /// Whether Core Data may keep large values in files; part of the version hash.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether history keeps the value after deletion; part of the version hash.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Forces another version hash where the definition alone does not change.
  public var versionHashModifier: String?
  /// What a save asks of the value, in this order; no part of the version hash.
  public var rules: [AttributeRule]
  /// The names that the attribute had before, the oldest last: the store finds it by them when the model
  /// has changed. The oldest is Core Data's renaming identifier; no part of the version hash.
  public var originalNames: [String] = []
  /// What the store computes the value from, as Core Data writes it; nil for an attribute that is set.
  ///
  /// - `pages.@count` is the number of objects that the to-many relationship `pages` leads to;
  /// - `pages.@sum.words` is the sum of an attribute of theirs;
  /// - `author.name` is the value of an attribute of the object that a to-one relationship leads to;
  /// - `name` is the value of another attribute;
  /// - `uppercase:(name)`, `lowercase:(name)` and `canonical:(name)` are forms of such a text;
  /// - `now()` is the time of the last save.
  ///
  /// Any other expression is read only, from stores whose own triggers keep the value. The version hash of the
  /// attribute is that of the expression alone.
  public var derivation: String?
  /// The name of what turns the values of a transformable attribute into bytes, as the model has it: one that was
  /// registered with ``AttributeTransformers``, or `NSSecureUnarchiveFromData` for keyed archives. No part of
  /// the version hash.
  public var valueTransformerName: String?
  /// The attributes of a composite one, by names without that of the whole; none for all other types.
  ///
  /// Each has a column, and is found as `location.latitude` by conditions and by `value(forKey:)`; that of the
  /// whole is a dictionary. The version hash has the elements as attributes of these names: no public store
  /// tells what Core Data's is.
  public var elements: [AttributeDescription] = []
  /// The name that the model has for the elements of a composite attribute, which several attributes may have.
  public var compositeName: String?
  /// Where imports find the value; no part of the version hash.
  public var importing = AttributeImport()
  /// What a model editor has noted of the attribute: imports read MagicalRecord's keys in it. No part of the
  /// version hash.
  public var userInfo: [String: String] = [:]
  /// Whether the attribute is an element of an optional composite one, which may be without values.
  package var isInOptional = false
  /// What stands for values that no store can keep; no part of the version hash.
  package var unstorable: _Unstorable?
  /// Tells what the class cannot decode; nil where it can decode everything.
  package var readability: AttributeReadability?

  /// Describes an attribute; all but name and type have Core Data's defaults.
  public init(
    name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    default defaultValue: Default = .none, allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false, versionHashModifier: String? = nil,
    rules: [AttributeRule] = [], derivation: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.versionHashModifier = versionHashModifier
    self.rules = rules
    self.derivation = derivation
  }
}

extension AttributeDescription {
  /// The elements of a composite attribute, and theirs, by their names in the entity: `location.latitude`.
  package var allElements: [AttributeDescription] { elements(most: Self.greatestDepth) }

  /// The most composites in one another that a model may have.
  package static let greatestDepth = 8

  /// How many composites stand in one another, this one included; 0 for any other attribute. Beyond the greatest
  /// depth it is not counted on.
  package var depth: Int { depth(most: Self.greatestDepth + 1) }

  private func depth(most: Int) -> Int {
    guard type == .composite, most > 0 else { return 0 }
    return 1 + (elements.map { $0.depth(most: most - 1) }.max() ?? 0)
  }

  private func elements(most depth: Int) -> [AttributeDescription] {
    guard type == .composite, depth > 0 else { return [] }
    return elements.flatMap { element -> [AttributeDescription] in
      var element = element
      let names = [element.name] + element.originalNames
      element.name = "\(name).\(element.name)"
      // The oldest name of both is the last.
      element.originalNames = ([name] + originalNames).flatMap { whole in
        names.map { "\(whole).\($0)" }
      }
      element.originalNames.removeAll { $0 == element.name }
      element.isTransient = element.isTransient || isTransient
      element.isInOptional = isInOptional || isOptional
      return [element] + element.elements(most: depth - 1)
    }
  }
}

/// Whether what a store keeps of an attribute is a value of the type that its class declares.
///
/// Classes cannot fail at reading: what they cannot decode they show as the default. So only who asks
/// is told.
package struct AttributeReadability: Sendable {
  /// What is wrong with a value, as the end of a sentence.
  package enum Trouble: String, Sendable {
    /// The raw value is that of no case.
    case unknownCase = "is no case of its enumeration"
    /// The bytes are no JSON of the type, or the text is no URL.
    case undecodable = "cannot be decoded"
  }

  /// Nil for a value that the class can show.
  package let trouble: @Sendable (AttributeScalar) -> Trouble?
  /// Why a value cannot be decoded, as the end of a sentence.
  package private(set) var reason: @Sendable (AttributeScalar) -> String? = { _ in nil }
  /// A value that can be decoded, of one in which dates are texts; nil where that is none either.
  package private(set) var readable: @Sendable (AttributeScalar) -> AttributeScalar? = { _ in nil }

  package init(_ trouble: @escaping @Sendable (AttributeScalar) -> Trouble?) {
    self.trouble = trouble
  }

  /// The same, with why a value cannot be decoded, and what it would be with dates as numbers.
  package func explained(
    by reason: @escaping @Sendable (AttributeScalar) -> String?,
    reading readable: @escaping @Sendable (AttributeScalar) -> AttributeScalar?
  ) -> AttributeReadability {
    var copy = self
    copy.reason = reason
    copy.readable = readable
    return copy
  }
}

/// What a store computes the value of a derived attribute from.
package enum Derivation: Sendable, Hashable {
  /// The number of objects that a to-many relationship leads to.
  case count(of: String)
  /// The sum of an attribute over the objects that a to-many relationship leads to.
  case sum(of: String, over: String)
  /// The value of an attribute of the object that a to-one relationship leads to.
  case value(of: String, at: String)
  /// The value of another attribute of the same object, or a form of that text.
  case own(TextForm, of: String)
  /// When the object was saved last.
  case now
  /// An expression that is not computed here: the triggers of the store's own application keep the value.
  case other(String)

  /// What becomes of a text; the names are those of Core Data's functions.
  package enum TextForm: String, Sendable, Hashable, CaseIterable {
    /// The value as it is.
    case same
    case uppercase
    case lowercase
    /// Without marks and capitals, so that texts which searches take for one are equal.
    case canonical
  }

  /// - Parameter text: An expression as Xcode shows it, such as `pages.@count`, or as Core Data describes it:
  ///   `count:(pages)`. Space is of no matter.
  package init(_ text: String) {
    let words = text.filter { !$0.isWhitespace }
    self = Self.function(words) ?? Self.path(words) ?? .other(Self.spaced(text))
  }

  /// An expression with one space behind each comma, and none elsewhere but in quoted texts.
  private static func spaced(_ text: String) -> String {
    var quote: Character?
    var result = ""
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character.isWhitespace {
        continue
      }
      result.append(character)
      if character == ",", quote == nil { result.append(" ") }
    }
    return result
  }

  private static func function(_ words: String) -> Derivation? {
    if words == "now()" { return .now }
    guard words.hasSuffix(")"), let colon = words.firstIndex(of: ":"),
      words[colon...].hasPrefix(":(")
    else { return nil }
    let argument = words[colon...].dropFirst(2).dropLast()
    let names = argument.split(separator: ".", omittingEmptySubsequences: false)
    guard names.allSatisfy(isName) else { return nil }
    if words[..<colon] != "same", let form = TextForm(rawValue: String(words[..<colon])) {
      return .own(form, of: String(argument))
    }
    switch (words[..<colon], names.count) {
    case ("count", 1): return .count(of: String(names[0]))
    case ("sum", 2): return .sum(of: String(names[1]), over: String(names[0]))
    default: return nil
    }
  }

  private static func path(_ words: String) -> Derivation? {
    let steps = words.split(separator: ".", omittingEmptySubsequences: false)
    switch steps.count {
    case 1 where isName(steps[0]): return .own(.same, of: String(steps[0]))
    case 2 where steps[1] == "@count" && isName(steps[0]): return .count(of: String(steps[0]))
    case 2 where steps.allSatisfy(isName):
      return .value(of: String(steps[1]), at: String(steps[0]))
    case 3 where steps[1] == "@sum" && isName(steps[0]) && isName(steps[2]):
      return .sum(of: String(steps[2]), over: String(steps[0]))
    default: return nil
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// The expression as Core Data describes it, which is all that the version hash has of the attribute
  /// (ChatModel, SampleModel2 and SwiftGen's stores and models: 12 entities).
  package var description: String {
    switch self {
    case .count(let relationship): "count:(\(relationship))"
    case .sum(let attribute, let relationship): "sum:(\(relationship).\(attribute))"
    case .value(let attribute, let relationship): "\(relationship).\(attribute)"
    case .own(.same, let attribute): attribute
    case .own(let form, let attribute): "\(form.rawValue):(\(attribute))"
    case .now: "now()"
    case .other(let text): text
    }
  }

  /// The expression as Xcode shows it.
  package var source: String {
    switch self {
    case .count(let relationship): "\(relationship).@count"
    case .sum(let attribute, let relationship): "\(relationship).@sum.\(attribute)"
    case .value, .own, .now, .other: description
    }
  }
}

extension AttributeDescription {
  /// What the value is computed from; nil for an attribute that is set.
  package var derived: Derivation? { derivation.map(Derivation.init) }

  /// The relationship whose objects are counted; nil where the attribute is no count.
  package var countedRelationship: String? {
    if case .count(let name)? = derived { name } else { nil }
  }

  /// Whether a store has a column for the attribute.
  package var hasColumn: Bool { !isTransient && type.hasColumn }

  /// Whether a value is there only once a store has computed it; the count of nothing is 0 before.
  var isKeptByStore: Bool { derived != nil && countedRelationship == nil }

  /// The expression that counts the objects of a relationship.
  package static func count(of relationship: String) -> String {
    Derivation.count(of: relationship).source
  }
}
