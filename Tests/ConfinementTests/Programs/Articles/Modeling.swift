import Cauldron
import Foundation

@Entity final class Item: ManagedObject {
  #Unique<Item>([\.title, \.created])
  #Index<Item>([\.priority, \.due])
  var title: String
  var created: Date = .now
  var due: Date?
  @Attribute(.range(0...5)) var priority: Int16 = 0
  var state: State = .open
  var place: Place?
  var words: [String] = []
  @Transient var isShown: Bool = false
  @Relationship(inverse: \Project.items) var project: Project?

  enum State: String { case open, done }
}

struct Place: Codable, Equatable {
  var name: String
  var latitude: Double = 0
}

@Entity final class Project: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .cascade) var items: ToMany<Item>
  @Attribute(derived: "items.@count") var itemsCount: Int
}

let model = try ManagedObjectModel(entities: [
  EntityDescription(
    name: "Reading",
    properties: [.attribute(AttributeDescription(name: "value", type: .double))])
])
let stack = try Stack(storeURL: nil, model: model)
try await stack.save { context in
  try context.insertNewObject(forEntityName: "Reading").setValue(21.5, forKey: "value")
}

let archived = try ManagedObjectModel(contentsOf: URL(filePath: "Notes.xcdatamodeld"))
let archive = try Stack(storeURL: URL(filePath: "Notes.sqlite"), model: archived)
let notes = try archive.defaultContext.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
let title = notes.first?.value(forKey: "title") as? String

let request = try archived.fetchRequestFromTemplate(
  withName: "recent", substitutionVariables: ["SINCE": Date.now.addingTimeInterval(-86_400)])
let recent = try archive.defaultContext.fetch(request)
let alike = recent.first?.value(forKey: "alike") as? [ManagedObject]
try model.write(to: URL(filePath: "Notes.xcdatamodel"))

try setupStack(
  storeURL: URL(filePath: "notes.sqlite"), modelURL: URL(filePath: "Notes.xcdatamodeld"))

try notes.first?.setValue(["latitude": 48.2, "longitude": 16.4], forKey: "spot")
let latitude = notes.first?.value(forKey: "spot.latitude") as? Double
let north = try PredicateNode(format: "spot.latitude > %@", 48)

let open = try Item.findAll(where: \.state == .open)
