import Cauldron
import Foundation

/// An entity with functions for properties of many types.
@Entity class Told: ManagedObject {
  @Attribute(.unique) var id: Int
  var color: Parcel.Color?
  var size: Parcel.Size = Parcel.Size.small
  var address: Parcel.Address?
  var tags: [String] = []
  var name: String?
  var calls: String = ""
  @Relationship var boss: Told?
  @Relationship(inverse: \Told.boss, imported: false) var staff: ToMany<Told>

  func importColor(_ value: Parcel.Color?) { calls += "color(\(value.map(\.rawValue) ?? "nil")) " }

  func importSize(_ value: Parcel.Size) -> Bool {
    calls += "size(\(value)) "
    return false
  }

  func importAddress(_ value: Parcel.Address?) {
    calls += "address(\(value?.city ?? "nil")) "
    address = value
  }

  func importTags(_ value: [String]) throws { calls += "tags(\(value.count)) " }

  func shouldImportName(_ value: String) -> Bool { value != "no" }

  func importName(_ value: String?) { calls += "name(\(value ?? "nil")) " }

  func importBoss(_ source: ImportSource) -> Bool { source.int == 0 }
}

/// What is below it may have functions that are none of imports.
@Entity final class ToldMore: Told {
  var file: String?
  var pages: Int = 0

  func importPicture(_ url: URL) {}
  func importIDs(_ values: [Int]) -> Bool { values.isEmpty }
  func importFile(_ value: String?) { file = value.map { "<\($0)>" } }
}
