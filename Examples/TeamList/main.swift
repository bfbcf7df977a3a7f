// Contexts side by side on one store: the main context shows three teams, a temporary context on a
// global queue saves a fourth, and an observer merges it into the main context.
//
//   swift run TeamList

import Cauldron
import Dispatch
import Foundation
import Logging

var configuration = StackConfiguration()
configuration.layout = .siblings
configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
let stack = try setupStack(storeURL: nil, configuration: configuration)
let coordinator = stack.coordinator
let main = stack.defaultContext
// The observer does by hand what this would do by itself.
main.automaticallyMergesChangesFromParent = false

for name in ["Ajax", "Benfica", "Celtic"] { Team.named(name, in: main) }
try main.save()
try printTeams(main)

observeSaves(for: main) { local in
  do {
    try printTeams(local.context)
    exit(0)
  } catch {
    print(error)
    exit(1)
  }
}

DispatchQueue.global().async {
  let temporary = ManagedObjectContext(
    .private, coordinator: coordinator, name: "The temporary context")
  Team.named("Dinamo", in: temporary)
  do { try temporary.save() } catch { print(error) }
}
dispatchMain()
