/// Where an import finds the value of an attribute, and what it makes of it.
///
/// The arguments of `@Attribute` write it; a described model and a plan can set it themselves.
public struct AttributeImport: Sendable, Hashable {
  /// The names, or paths of names with points, that are tried in this order; none for the property's own
  /// name.
  public var from: [String]
  private var saidAbsent: ImportPolicy?
  private var saidNull: ImportPolicy?
  /// How dates are written, tried in this order; none for ISO 8601.
  public var dateFormats: [ImportDateFormat]
  /// Makes the value from the whole record.
  public var transform: ImportTransform?
  /// Whether imports leave the attribute alone.
  public var isExcluded: Bool

  /// Describes where a value is found.
  public init(
    from: [String] = [], absent: ImportPolicy? = nil, null: ImportPolicy? = nil,
    dateFormats: [ImportDateFormat] = [], transform: ImportTransform? = nil,
    isExcluded: Bool = false
  ) {
    self.from = from
    saidAbsent = absent
    saidNull = null
    self.dateFormats = dateFormats
    self.transform = transform
    self.isExcluded = isExcluded
  }
}

extension AttributeImport {
  /// What becomes of the attribute where no name is there; `.keep` by default.
  public var absent: ImportPolicy {
    get { saidAbsent ?? .keep }
    set { saidAbsent = newValue }
  }

  /// What becomes of it where there is null; `.setNil` by default.
  public var null: ImportPolicy {
    get { saidNull ?? .setNil }
    set { saidNull = newValue }
  }

  /// The same, and what another says of all that this one says nothing of.
  ///
  /// Names come before the other's transform: they say where the value is now. Whether the attribute is
  /// imported is said by naming it.
  package func over(_ other: AttributeImport) -> AttributeImport {
    var merged = self
    if from.isEmpty {
      merged.from = other.from
      merged.transform = transform ?? other.transform
    }
    merged.saidAbsent = saidAbsent ?? other.saidAbsent
    merged.saidNull = saidNull ?? other.saidNull
    if dateFormats.isEmpty { merged.dateFormats = other.dateFormats }
    return merged
  }
}
