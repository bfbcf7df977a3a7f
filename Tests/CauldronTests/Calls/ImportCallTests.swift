import Cauldron
import CauldronTesting
import Testing

/// The calls that came from MagicalRecord's imports; how they import is tested with the imports.
@Suite(.stack(entities: Parcel.self))
struct ImportCallTests {
  @Test @MainActor func `MR_importFromObject: finds or creates, and saves nothing`() throws {
    let parcel = try Parcel.importFrom([["code": "a", "weight": 2]] as [Any], in: .default).first
    #expect(parcel?.weight == 2 && parcel?.isInserted == true)
    let context = ManagedObjectContext.default
    #expect(try Parcel.importFrom([["code": "a"]] as [Any], in: context).first === parcel)
  }

  @Test @MainActor func `MR_importFromArray: imports one after the other`() throws {
    let records: [[String: Any]] = [["code": "b"], ["code": "a"], ["code": "b", "weight": 3]]
    let parcels = try Parcel.importFrom(records, in: .default)
    #expect(parcels.map(\.code) == ["b", "a", "b"] && parcels[0].weight == 3)
  }

  @Test @MainActor func `MR_importValuesForKeysWithObject: imports into the object`() throws {
    let parcel = Parcel.create()
    parcel.code = "a"
    #expect(try parcel.importValues(from: ["weight": 2]))
    #expect(parcel.weight == 2 && parcel.code == "a")
  }

  @Test @MainActor func `shouldImport: willImport: and didImport: are the class's own`() throws {
    let records: [[String: Any]] = [["code": "a"], ["code": "b", "weight": 99]]
    let parcels = try Parcel.importFrom(records, in: .default)
    #expect(parcels.map(\.steps) == ["will did"])
    #expect(try Parcel.count() == 1)
  }
}

@Entity final class Parcel: ManagedObject {
  @Attribute(.unique) var code: String
  var weight: Int = 0
  var steps: String = ""

  override func shouldImport(_ source: ImportSource) throws -> Bool {
    source["weight"]?.int != 99
  }

  override func willImport(_ source: ImportSource) throws { steps = "will" }

  override func didImport(_ source: ImportSource) throws { steps += " did" }
}
