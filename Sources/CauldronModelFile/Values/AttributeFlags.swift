/// What `NSFlagsKey` of an attribute says.
struct AttributeFlags: OptionSet {
  let rawValue: Int

  /// Large values may be kept in files.
  static let external = AttributeFlags(rawValue: 4)
  /// History keeps the value after deletion.
  static let preserved = AttributeFlags(rawValue: 16)
}
