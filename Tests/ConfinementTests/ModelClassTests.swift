import CauldronModelClasses
import Foundation
import TestSupport
import Testing

/// The classes that are made of models compile without a warning.
@Suite struct ModelClassTests {
  private static let compiler = Compiler()
  private static let skip: Comment = "needs swiftc, and a library built without a sanitizer"

  /// The model of the example, and those of the fixtures where they are.
  private static let models: [URL] =
    [
      Compiler.programs.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Examples/FromXcode/Sources/Notebook/Notes.xcdatamodeld")
        .appending(path: "Notes.xcdatamodel")
    ]
    + [
      "Bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 6.xcdatamodel",
      "Moody/Moody.xcdatamodeld/Moody 6.xcdatamodel",
      "models/LoopKit/Model.xcdatamodeld/Modelv4.xcdatamodel",
      "models/trailer/Trailer.xcdatamodeld/Trailer 44.xcdatamodel",
    ].compactMap { Fixtures.url($0) }

  @Test(.enabled(if: compiler != nil, skip), arguments: models, [false, true])
  func `the classes of a model compile in both isolation modes`(
    _ model: URL, _ isMainActor: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let source = try Data(contentsOf: model.appending(path: "contents"))
    let classes = try ModelClasses(source: [UInt8](source), head: "The classes.")
    let file = folder.file("Classes.swift")
    try Data(classes.text.utf8).write(to: file)
    let outcome = try #require(Self.compiler)
      .compile([file], .init(isMainActor: isMainActor, bringsEntities: true))
    #expect(outcome.isCompiled, "\(outcome.text)")
  }
}
