/// Why bytes are no model.
package enum StoredModelFailure: Error, Hashable {
  /// The bytes are not compressed as they should be, end too early or stand for too many.
  case compression
  /// The bytes are no binary property list, or one that would take too long to read.
  case propertyList
  /// The property list is no archive of a model; the text says what is wrong.
  case archive(String)
}
