import CauldronModel
import CauldronModelFile
import Foundation
import TestSupport
import Testing

/// Models at random, written and read in every form.
@Suite(.ownThread) struct RandomModelTests {
  @Test func `XML, an archive and the copy of a store say what descriptions say`() throws {
    for seed in 0..<(Sanitizer.isOn ? 50 : 150) {
      let entities = RandomSource.entities(seed: UInt64(20_261_130 + seed))
      let model = StoredModel(entities: entities, versionIdentifiers: ["v"])
      let hashes: [String: [UInt8]]
      do { hashes = try model.hashes() } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
      let source = model.source()
      let read = try StoredModel(source: Array(source.utf8))
      #expect(read.lines == model.lines && read.open.isEmpty, "seed \(seed)")
      #expect(try read.hashes() == hashes, "seed \(seed)")
      #expect(read.source() == source, "seed \(seed)")
      for copy in try [StoredModel(archive: read.archive()), StoredModel(cache: read.cache())] {
        #expect(copy.lines == model.withoutNotes.lines && copy.open.isEmpty, "seed \(seed)")
        #expect(try copy.hashes() == hashes, "seed \(seed)")
      }
      if read.lines != model.lines { return }
    }
  }
}

extension StoredModel {
  /// What an archive keeps: it has no notes.
  fileprivate var withoutNotes: StoredModel {
    var model = self
    for entity in model.entities.indices {
      model.entities[entity].userInfo = [:]
      model.entities[entity].properties = model.entities[entity].properties.map { property in
        switch property {
        case .attribute(let attribute): return .attribute(attribute.withoutNotes)
        case .relationship(var relationship):
          relationship.userInfo = [:]
          return .relationship(relationship)
        }
      }
    }
    return model
  }
}

extension AttributeDescription {
  fileprivate var withoutNotes: AttributeDescription {
    var copy = self
    copy.userInfo = [:]
    copy.elements = elements.map(\.withoutNotes)
    return copy
  }
}
