/// One change of a list as its sections see it.
struct SectionChange<Value: Hashable & Sendable> {
  /// Where it is: before the element that had this index when nothing was changed yet.
  let place: Int
  /// Whether that element goes.
  let isRemoval: Bool
  /// The section value of the element that comes, if one does.
  let inserted: Value?
}
