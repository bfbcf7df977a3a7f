// An operation that imports in the background, once beside the main context, which merges what was
// saved, and once in a child of the main context. Both end with the same list.
//
//   swift run ImportOperation

import Cauldron
import Dispatch
import Foundation
import Logging

let queue = OperationQueue()
for way in ImportOperation.Way.allCases { run(way) }
queue.addBarrierBlock { DispatchQueue.main.async { exit(0) } }
dispatchMain()

/// Imports into a stack of its own and prints what the main context shows then.
func run(_ way: ImportOperation.Way) {
  queue.addOperation {
    do {
      let stack = try makeStack()
      let operation = ImportOperation(way, into: stack)
      let done = OperationQueue()
      done.addOperations([operation], waitUntilFinished: true)
      if let failure = operation.failure { throw failure }
      print("\(way.rawValue): \(try summary(stack.defaultContext))")
      try stack.close()
    } catch {
      print(error)
      exit(1)
    }
  }
  queue.addBarrierBlock {}
}

/// The main context and its children stand directly on the store.
nonisolated func makeStack() throws -> Stack {
  var configuration = StackConfiguration()
  configuration.layout = .mainParent
  configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
  return try Stack(storeURL: nil, configuration: configuration)
}

/// How many readings the main context has, and the highest one.
nonisolated func summary(_ context: ManagedObjectContext) throws -> String {
  try context.performAndWait { local in
    let readings = try Reading.findAll(sortedBy: \.degrees, ascending: false, in: local)
    let highest = readings.first.map { "\($0.degrees)° at \($0.hour) o'clock" }
    return "\(readings.count) readings, the highest \(highest ?? "none")"
  }
}
