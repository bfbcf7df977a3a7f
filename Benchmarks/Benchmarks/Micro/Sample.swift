import Cauldron
import Foundation
import Logging

@Entity final class Sample: ManagedObject {
  var name: String
  var title: String
  var number: Int
  var weight: Double
}

/// A stack in memory, because no disk belongs in figures of single operations.
func makeStack() -> Stack {
  var configuration = StackConfiguration()
  configuration.logger = Logger(label: "micro") { _ in SwiftLogNoOpLogHandler() }
  configuration.logger.logLevel = .critical
  do {
    return try Stack(
      storeURL: nil, model: ManagedObjectModel(Sample.self), configuration: configuration)
  } catch {
    fatalError("A stack in memory cannot be made: \(error)")
  }
}

/// A private context below the main one.
func makeContext(_ stack: Stack) -> ManagedObjectContext {
  ManagedObjectContext(.private, parent: stack.defaultContext)
}

func makeSample(_ context: ManagedObjectContext) -> Sample {
  let sample = Sample.create(in: context)
  sample.name = "somebody"
  sample.title = "a title that is not short"
  sample.number = 42
  sample.weight = 1.5
  return sample
}
