import CauldronArchive
import CauldronModel
import CauldronModelFile
import Testing

@Suite("Archives that are no models")
struct RefusalTests {
  private static func chain(_ count: Int, isRing: Bool = false) -> StoredModel {
    StoredModel(
      entities: (0..<count).map { number in
        let parent = number > 0 ? number - 1 : isRing ? count - 1 : nil
        return EntityDescription(
          name: "E\(number)", superentity: parent.map { "E\($0)" }, properties: [])
      })
  }

  @Test("Superentities in a circle, or too many of them, are refused")
  func hierarchies() throws {
    #expect(try StoredModel(archive: Self.chain(100).archive()).entities.count == 100)
    for model in [Self.chain(200), Self.chain(3, isRing: true), Self.chain(1, isRing: true)] {
      #expect(throws: ArchiveFailure.self) { try StoredModel(archive: model.archive()) }
    }
  }

  @Test("Entities of one name are refused")
  func names() {
    let entity = EntityDescription(name: "A", properties: [])
    #expect(throws: ArchiveFailure.archive("two entities are named \"A\"")) {
      try StoredModel(archive: StoredModel(entities: [entity, entity]).archive())
    }
  }

  @Test("Bytes that are something else are refused, each in its own words")
  func others() throws {
    #expect(throws: ArchiveFailure.propertyList) { try StoredModel(archive: []) }
    #expect(throws: ArchiveFailure.propertyList) {
      try StoredModel(
        archive: Array("<?xml version=\"1.0\"?>".utf8) + [UInt8](repeating: 0, count: 99))
    }
    #expect(throws: ArchiveFailure.compression) { try StoredModel(cache: []) }
    #expect(throws: ArchiveFailure.propertyList) { try StoredModel(cache: [3, 0]) }
  }

  @Test("Every beginning of an archive and of a cache is refused")
  func truncations() {
    let (archive, cache) = (SampleModel.stored.archive(), SampleModel.stored.cache())
    for count in stride(from: 0, to: archive.count, by: 7) {
      #expect(throws: ArchiveFailure.self) {
        try StoredModel(archive: Array(archive.prefix(count)))
      }
      #expect(throws: ArchiveFailure.self) {
        try StoredModel(cache: Array(cache.prefix(count)))
      }
    }
  }
}
