import Cauldron
import Foundation
import Testing

/// The file that a stream goes to before it is imported.
@Suite struct StreamFileTests {
  @Test func `nobody else can read it`() async throws {
    let atlas = try Atlas()
    let modes = Locked<Set<Int>>([])
    let pieces = AsyncStream<Data> { continuation in
      continuation.yield(Data(#"[{"text": "a"}]"#.utf8))
      continuation.finish()
    }
    .map { piece in
      let folder = FileManager.default.temporaryDirectory.path
      for name in try FileManager.default.contentsOfDirectory(atPath: folder)
      where name.hasPrefix("cauldron-import-") {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        guard let mode = attributes?[.posixPermissions] as? NSNumber else { continue }
        modes.withLock { _ = $0.insert(mode.intValue) }
      }
      return piece
    }
    let report = try await atlas.stack.importJSON(from: pieces, as: Note.self)
    #expect(report.created == 1)
    #expect(modes.withLock { $0 } == [0o600])
  }
}
