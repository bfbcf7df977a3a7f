import Cauldron
import Foundation
import TestSupport
import Testing

/// A store of which the log alone is whole: what SQLite would delete with the first read.
@Suite(.againstHanging) struct CutOffStoreTests {
  @Test(arguments: [0, 1])
  func `a file that was cut off is refused, and keeps its log`(_ bytes: Int) throws {
    let bench = try Bench(.file)
    try bench.stack.saveAndWait { Person.create(in: $0).name = "ann" }
    let open = try #require(bench.stack.coordinator.storeURL)
    let directory = try TemporaryDirectory()
    let url = directory.file("cut.sqlite")
    try Data(count: bytes).write(to: url)
    let log = URL(filePath: url.path + "-wal")
    try FileManager.default.copyItem(at: URL(filePath: open.path + "-wal"), to: log)
    let before = try Data(contentsOf: log)
    #expect(!before.isEmpty)
    let model = try Office.model()
    let error = cauldronError { try Stack(storeURL: url, model: model).close() }
    #expect(error?.code == .storeCorrupt && error?.path == url.path)
    #expect(try Data(contentsOf: log) == before)
    _ = try Stack.migrationForecast(storeURL: url, model: model)
    #expect(try Data(contentsOf: log) == before)
    withExtendedLifetime(bench) {}
  }
}
