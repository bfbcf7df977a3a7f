public import Cauldron
public import Foundation
public import Testing

extension ManagedObjectModel {
  /// Whether the stores of a model that was written before are those of this one; if not, each difference is recorded
  /// as an issue of the test.
  ///
  /// ```swift
  /// @Test func `the model is the one that was released`() throws {
  ///   let model = try ManagedObjectModel(Note.self, Folder.self)
  ///   #expect(model.matches(frozen: URL(filePath: "Models/Notes.xcdatamodeld")))
  /// }
  /// ```
  /// It fails where a class has changed and no new version was written: run the program with
  /// `CAULDRON_WRITE_MODEL` set to a new `.xcdatamodel` in the directory, and make it the current version.
  /// - Parameters:
  ///   - url: What ``Cauldron/ManagedObjectModel/write(to:)`` wrote; of an `.xcdatamodeld` the current version counts.
  ///   - sourceLocation: Where the issues are recorded; where the call is.
  /// - Complexity: O(*n* log *n*) in the number of properties.
  public func matches(
    frozen url: URL, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    let differences: [String]
    do {
      let frozen = try ManagedObjectModel(contentsOf: url)
      differences = self.differences(from: frozen)
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
      return false
    }
    for difference in differences {
      Issue.record(
        "\(difference) (there: \(url.lastPathComponent))", sourceLocation: sourceLocation)
    }
    return differences.isEmpty
  }
}
