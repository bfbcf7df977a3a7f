/// What becomes of a property that a record says nothing of, or null.
public enum ImportPolicy: Sendable, Hashable {
  /// It stays as it is.
  case keep
  /// It is set to nil; a to-many relationship is emptied.
  case setNil
  /// It is set to its default.
  case setDefault
}

/// What becomes of the members of a to-many relationship that a record does not list.
public enum ImportMembers: Sendable, Hashable {
  /// They stay.
  case merge
  /// They are taken out of the relationship.
  case replace
  /// They are taken out, and deleted at the end of the import where no record has linked them.
  case replaceAndDelete
  /// They stay, and those that are listed are linked only: nothing of them is created or changed.
  case linkOnly
}

/// What becomes of a key that leads to an object which neither the store nor the import has.
public enum ImportUnknown: Sendable, Hashable {
  /// An object with the key and nothing else is created.
  case stub
  /// It is left out, and reported.
  case skip
  /// The record is refused.
  case refuse
}
