/// Where an import finds the value of an attribute, and what it makes of it.
///
/// The arguments of `@Attribute` write it; a described model and a plan can set it themselves.
public struct AttributeImport: Sendable, Hashable {
  /// The names, or paths of names with points, that are tried in this order; none for the property's own
  /// name.
  public var from: [String]
  /// What becomes of the attribute where no name is there; `.keep` by default.
  public var absent: ImportPolicy
  /// What becomes of it where there is null; `.setNil` by default.
  public var null: ImportPolicy
  /// How dates are written, tried in this order; none for ISO 8601.
  public var dateFormats: [ImportDateFormat]
  /// Makes the value from the whole record.
  public var transform: ImportTransform?
  /// Whether imports leave the attribute alone.
  public var isExcluded: Bool

  /// Describes where a value is found.
  public init(
    from: [String] = [], absent: ImportPolicy = .keep, null: ImportPolicy = .setNil,
    dateFormats: [ImportDateFormat] = [], transform: ImportTransform? = nil,
    isExcluded: Bool = false
  ) {
    self.from = from
    self.absent = absent
    self.null = null
    self.dateFormats = dateFormats
    self.transform = transform
    self.isExcluded = isExcluded
  }
}
