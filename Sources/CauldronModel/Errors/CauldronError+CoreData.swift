extension CauldronError.Code {
  /// The number that Core Data has for the same mistake, in `NSCocoaErrorDomain`; nil where it has
  /// none, or tells it by other means.
  public var coreDataCode: Int? {
    switch self {
    case .validationFailed, .validationNotEncodable: 1550
    case .validationMultiple: 1560
    case .validationMissing: 1570
    case .validationTooFew: 1580
    case .validationTooMany: 1590
    case .validationDenied: 1600
    case .validationTooLarge: 1610
    case .validationTooSmall: 1620
    case .validationTooLate: 1630
    case .validationTooSoon: 1640
    case .validationTooLong: 1660
    case .validationTooShort: 1670
    case .validationNoMatch: 1680
    case .objectNotFound: 133000
    case .saveConflict, .saveDependency: 133020
    case .saveConstraint: 133021
    case .storeIncompatibleModel: 134100
    case .migrationMissingValue, .migrationOutOfRange, .migrationStepFailed,
      .migrationWouldDiscard:
      134110
    case .migrationNotUnique: 134111
    case .migrationCancelled: 134120
    case .migrationNoSource: 134130
    case .migrationNoPath: 134140
    case .migrationCannotInfer: 134190
    default: nil
    }
  }
}
