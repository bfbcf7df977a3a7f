import Cauldron
import Foundation
import Logging

/// Imports into a stack of its own and prints what the main context shows then.
func run(_ way: ImportOperation.Way) {
  do {
    let stack = try makeStack()
    let operation = ImportOperation(way, into: stack)
    OperationQueue().addOperations([operation], waitUntilFinished: true)
    if let failure = operation.failure { throw failure }
    print("\(way.rawValue): \(try summary(stack.defaultContext))")
    try stack.close()
  } catch {
    print(error)
    exit(1)
  }
}

/// The main context and its children stand directly on the store.
private func makeStack() throws -> Stack {
  var configuration = StackConfiguration()
  configuration.layout = .mainParent
  configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
  return try Stack(storeURL: nil, configuration: configuration)
}

/// How many readings the main context has, and the highest one.
private func summary(_ context: ManagedObjectContext) throws -> String {
  try context.performAndWait { local in
    let readings = try Reading.findAll(sortedBy: \.degrees, ascending: false, in: local)
    let highest = readings.first.map { "\($0.degrees)° at \($0.hour) o'clock" }
    return "\(readings.count) readings, the highest \(highest ?? "none")"
  }
}
