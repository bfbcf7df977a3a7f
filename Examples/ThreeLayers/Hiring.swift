import Cauldron
import Foundation

/// Creates and saves the employee level by level, as one save to the store would do by itself.
func hire(_ stack: Stack) throws {
  let background = stack.newBackgroundContext()
  let levels = [
    ("background", background), ("main", stack.defaultContext),
    ("root", stack.rootSavingContext),
  ]
  background.performAndWait { context in
    let employee = Employee.create(in: context)
    employee.name = "Ada"
    employee.birthday = Date(timeIntervalSince1970: 0)
    employee.height = 1.68
  }
  try report(levels, "created in the background context")
  try background.performAndWait { context in try context.save() }
  try report(levels, "the background context has saved")
  try stack.defaultContext.performAndWait { context in try context.save() }
  try report(levels, "the main context has saved")
  try stack.rootSavingContext.performAndWait { context in try context.save() }
  try report(levels, "the root context has saved")
  try stack.close()
}

/// Prints which context knows the employee.
private func report(_ levels: [(String, ManagedObjectContext)], _ event: String) throws {
  print("\(event):")
  // A new context on the coordinator knows what is stored, and nothing else.
  let coordinator = levels[0].1.persistentStoreCoordinator
  let reader = ManagedObjectContext(.private, coordinator: coordinator)
  for (level, context) in levels + [("store", reader)] {
    let known = try context.performAndWait { context in
      try Employee.findFirst(in: context).map(\.summary)
    }
    print("  \(level): \(known ?? "knows nobody")")
  }
}
