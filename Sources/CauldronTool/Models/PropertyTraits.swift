import CauldronModel
import Foundation

/// What is said of a property beside its name, in the terms of the model editor.
///
/// Two versions of a property have the same traits in the same order, so that they can be compared.
struct PropertyTraits {
  /// One thing that is said.
  struct Trait: Equatable {
    let name: String
    /// The value; `none` where there is none.
    let value: String
    /// The words in a list of all traits; nil where a reader takes it for granted.
    let phrase: String?
    /// Whether a migration sees a change of it.
    var isMigrated = false
  }

  /// The type of a value, or what a relationship leads to: `String`, `[Tag]`.
  let type: String
  let isRelationship: Bool
  let traits: [Trait]

  init(_ property: PropertyDescription) {
    switch property {
    case .attribute(let attribute): self.init(attribute)
    case .relationship(let relationship): self.init(relationship)
    }
  }

  init(_ attribute: AttributeDescription) {
    type = attribute.compositeName ?? attribute.type.displayName
    isRelationship = false
    let isDerived = attribute.derivation != nil
    let value = DefaultText(attribute).text
    let bounds = BoundsText(attribute.rules).text
    traits = [
      Trait(isOptional: attribute.isOptional),
      Trait("transient", isSet: attribute.isTransient),
      Trait("default", value: value, phrase: value.map { "default \($0.excerpt(42))" }),
      Trait("bounds", value: bounds, phrase: bounds?.excerpt(42)),
      Trait(
        "derivation", value: attribute.derivation,
        phrase: attribute.derivation.map { "derived from \($0)" },
        isMigrated: isDerived),
      Trait(
        "transformer", value: attribute.valueTransformerName.nonEmpty,
        phrase: attribute.valueTransformerName.nonEmpty.map { "transformer \($0)" }),
      Trait(
        "external storage", isSet: attribute.allowsExternalBinaryDataStorage),
      Trait("kept after deletion", isSet: attribute.preservesValueInHistoryOnDeletion),
      Trait(modifier: attribute.versionHashModifier),
      Trait(originals: attribute.originalNames),
    ]
  }

  init(_ relationship: RelationshipDescription) {
    type = relationship.isToMany ? "[\(relationship.destination)]" : relationship.destination
    isRelationship = true
    let inverse = relationship.inverse.map { "\(relationship.destination).\($0)" }
    let counts = Self.counts(of: relationship)
    traits = [
      Trait(isOptional: relationship.isOptional),
      Trait("transient", isSet: relationship.isTransient),
      Trait(
        "inverse", value: inverse,
        phrase: relationship.isTransient
          ? nil : relationship.inverse.map { "inverse \($0)" } ?? "no inverse"),
      Trait("ordered", isSet: relationship.isOrdered, isMigrated: true),
      Trait(
        "delete rule", value: relationship.deleteRule.words, phrase: relationship.deleteRule.words),
      Trait("count", value: counts, phrase: counts),
      Trait(modifier: relationship.versionHashModifier),
      Trait(originals: relationship.originalNames),
    ]
  }

  /// All that is not taken for granted, on one line.
  var phrase: String { traits.compactMap(\.phrase).joined(separator: ", ") }

  /// How many destinations there may be, where a to-many relationship says so.
  private static func counts(of relationship: RelationshipDescription) -> String? {
    guard relationship.isToMany else { return nil }
    switch (relationship.minCount, relationship.maxCount) {
    case (0, ...0): return nil
    case (let least, ...0): return "at least \(least)"
    case (0, let most): return "at most \(most)"
    case (let least, let most): return least == most ? "\(least)" : "\(least) to \(most)"
    }
  }
}

extension PropertyTraits.Trait {
  fileprivate init(
    _ name: String, value: String?, phrase: String?, isMigrated: Bool = false
  ) {
    self.init(name: name, value: value ?? "none", phrase: phrase, isMigrated: isMigrated)
  }

  fileprivate init(_ name: String, isSet: Bool, isMigrated: Bool = false) {
    self.init(
      name: name, value: isSet ? "yes" : "no", phrase: isSet ? name : nil, isMigrated: isMigrated)
  }

  fileprivate init(isOptional: Bool) {
    let word = isOptional ? "optional" : "required"
    self.init(name: "presence", value: word, phrase: word, isMigrated: true)
  }

  fileprivate init(modifier: String?) {
    self.init("hash modifier", value: modifier, phrase: modifier.map { "hash modifier \"\($0)\"" })
  }

  fileprivate init(originals: [String]) {
    let names = originals.isEmpty ? nil : originals.joined(separator: ", ")
    self.init("renaming identifier", value: names, phrase: names.map { "was \($0)" })
  }
}

extension RelationshipDescription.DeleteRule {
  /// The rule as the model editor has it, in small letters.
  var words: String {
    switch self {
    case .noAction: "no action"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}

/// The default of an attribute as people write it.
struct DefaultText {
  /// Nil where there is none.
  let text: String?

  init(_ attribute: AttributeDescription) {
    switch attribute.defaultValue {
    case .none: text = nil
    case .computed: text = "made anew"
    case .constant(let value): text = Self.text(value, as: attribute.type)
    }
  }

  private static func text(_ value: AttributeScalar, as type: AttributeType) -> String? {
    switch (value, type) {
    case (.null, _): return nil
    case (.integer(let number), .boolean): return number == 0 ? "NO" : "YES"
    case (.real(let seconds), .date) where seconds.magnitude < 1e11:
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      return date.ISO8601Format(
        .iso8601(timeZone: .gmt, includingFractionalSeconds: seconds.rounded() != seconds))
    case (.blob(let data), .uuid) where data.count == 16:
      let bytes = Array(data)
      return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
    case (.text(let text), _): return "\"\(text)\""
    default: return value.description
    }
  }
}

/// The bounds of an attribute as people write them.
struct BoundsText {
  /// Nil where there are none.
  let text: String?

  init(_ rules: [AttributeRule]) {
    let texts = rules.compactMap(Self.text)
    text = texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  private static func text(_ rule: AttributeRule) -> String? {
    switch rule.kind {
    case .length(let least, let most):
      "length \(least > 0 ? "\(least)" : "")...\(most < .max ? "\(most)" : "")"
    case .range(let least, let most, _): "\(bound(least))...\(bound(most))"
    case .pattern(let pattern): "matches \(pattern)"
    case .check: nil
    }
  }

  private static func bound(_ value: AttributeScalar) -> String {
    switch value {
    case .null: ""
    case .text(let text): text
    default: value.description
    }
  }
}

extension String? {
  /// The text; nil for an empty one, which Xcode writes where nothing was said.
  fileprivate var nonEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}
