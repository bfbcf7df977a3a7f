// A board of projects: items with parts in an order of their own, labels that any number of items
// share, an edit session that is thrown away, a deletion that is undone, and a project that is deleted with all it owns.
//
//   swift run TaskBoard

import Cauldron
import Foundation
import Logging

var configuration = StackConfiguration()
configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
let stack = try setupStack(storeURL: nil, configuration: configuration)
let board = stack.defaultContext

// Two projects that share a label.
let house = Project.create(in: board)
house.name = "House"
let paint = house.add("Paint the door", parts: ["Sand it", "Paint it", "Let it dry"], in: board)
let heat = house.add("Mend the heating", in: board)
let garden = Project.create(in: board)
garden.name = "Garden"
let plant = garden.add("Plant a tree", parts: ["Dig", "Water"], in: board)
for (item, names) in [(paint, ["colour", "spring"]), (heat, ["urgent"]), (plant, ["spring"])] {
  // There is one label of each name, whoever asks for it.
  for name in names { item.labels.insert(try Label.findOrCreate(\.name, name, in: board)) }
}
paint.parts[0].isDone = true
try board.saveAndWait(toPersistentStore: true)
house.show()
garden.show()
let done = try paint.parts.where(\.isDone == true)
print("done: \(done.map(\.title).joined(separator: ", "))")
// An object prints what is known of it, and reads nothing for that.
print(house)
print(paint.parts[0])

// An edit session: nothing of it is seen elsewhere, and letting go of it leaves nothing behind.
let session = ManagedObjectContext.contextWithParent(board)
try session.performAndWait { local in
  guard let item = try Item.findFirst(where: \.title == "Paint the door", in: local.context) else {
    return
  }
  item.parts.move(from: 2, to: 0)
  item.labels.removeAll()
  print("in the session: \(item.parts.map(\.title).joined(separator: ", ")), no labels")
}
print(
  "on the board: \(paint.parts.map(\.title).joined(separator: ", ")), \(paint.labels.count) labels")

// A part that was forgotten, where it belongs; the move changes one object.
let prime = Item.create(in: board)
prime.title = "Prime it"
paint.parts.insert(prime, at: 1)
print(prime)
try board.saveAndWait(toPersistentStore: true)
house.show()

// What was done last is taken back, and made again: a deletion with all that went along, in its order.
board.undoManager = UndoManager()
paint.delete()
board.undoManager?.setActionName("Delete \"\(paint.title)\"")
board.processPendingChanges()
print("\(board.undoManager?.undoMenuItemTitle ?? ""), of \(house.items.count) item")
try board.undo()
house.show()
try board.redo()
try board.undo()
print("nothing to save: \(!board.hasChanges)")

// A project goes with its items and their parts; the labels stay.
try printCounts("before", board)
house.delete()
try board.saveAndWait(toPersistentStore: true)
try printCounts("afterwards", board)
garden.show()
