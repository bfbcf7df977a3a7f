import Cauldron
import Dispatch
import Foundation
import Logging

@Entity final class Person: ManagedObject {
  var name: String
  var age: Int = 0
}

struct PersonAnswer: Codable, Sendable {
  var name: String
  var age: Int
}

struct People: Sendable {
  let stack: Stack

  func list(olderThan age: Int) async throws -> [PersonAnswer] {
    try await stack.read { context in
      try Person.findAll(where: { $0.age > age }, sortedBy: \.name, limit: 100, in: context)
        .map { PersonAnswer(name: $0.name, age: $0.age) }
    }
  }

  func add(_ person: PersonAnswer) async throws {
    try await stack.save(named: "POST /people") { context in
      let new = Person(context: context)
      new.name = person.name
      new.age = person.age
    }
  }

  func celebrate(_ name: String) async throws -> Bool {
    try await stack.save(named: "POST /people/birthday", retries: 3) { context in
      guard let person = try Person.findFirst(\.name, name, in: context) else { return false }
      person.age += 1
      return true
    }
  }

  func honour(_ name: String) async throws {
    try await Person.where(\.name == name).batchUpdate(in: stack) { $0.age.set($0.age + 1) }
  }
}

var configuration = StackConfiguration()
configuration.layout = .siblings
configuration.mainQueue = DispatchQueue(label: "contexts")
configuration.readLimit = 30
configuration.logger = Logger(label: "people")
let stack = try Stack(storeURL: URL(filePath: "people.sqlite"), configuration: configuration)
