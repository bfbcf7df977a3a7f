// Three layers: a background context, the main context, and a private root on the store.
// An employee is created in the background; the program tells which context knows it when.
//
//   swift run ThreeLayers

import Cauldron
import Dispatch
import Foundation
import Logging

var configuration = StackConfiguration()
configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
let stack = try setupStack(storeURL: nil, configuration: configuration)
let background = stack.newBackgroundContext()

DispatchQueue.global().async {
  do {
    try hire()
    exit(0)
  } catch {
    print(error)
    exit(1)
  }
}
dispatchMain()

/// Creates and saves the employee level by level, as one save to the store would do by itself.
func hire() throws {
  try background.performAndWait { context in
    let employee = Employee.create(in: context)
    employee.name = "Ada"
    employee.birthday = Date(timeIntervalSince1970: 0)
    employee.height = 1.68
  }
  try report("created in the background context")
  try background.performAndWait { context in try context.save() }
  try report("the background context has saved")
  try stack.defaultContext.performAndWait { context in try context.save() }
  try report("the main context has saved")
  try stack.rootSavingContext.performAndWait { context in try context.save() }
  try report("the root context has saved")
  try stack.close()
}

/// Prints which context knows the employee.
func report(_ event: String) throws {
  print("\(event):")
  let reader = ManagedObjectContext(.private, coordinator: stack.coordinator)
  let places = [
    ("background", background), ("main", stack.defaultContext),
    ("root", stack.rootSavingContext), ("store", reader),
  ]
  for (place, context) in places {
    let known = try context.performAndWait { context in
      try Employee.findFirst(in: context).map(\.summary)
    }
    print("  \(place): \(known ?? "knows nobody")")
  }
}

extension Employee {
  var summary: String {
    let day = birthday?.formatted(.iso8601.year().month().day()) ?? "unknown"
    return "\(name), born \(day), \(height) m"
  }
}
