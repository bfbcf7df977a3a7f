import Cauldron
import Foundation

@Entity class Animal: ManagedObject {
  var name: String

  convenience init(name: String, context: ManagedObjectContext) {
    self.init(context: context)
    self.name = name
  }

  convenience init?(record: [String: String], context: ManagedObjectContext) {
    guard let name = record["name"] else { return nil }
    self.init(name: name, context: context)
  }
}

@Entity final class Dog: Animal {
  var legs: Int = 4

  convenience init() { self.init(name: "dog", context: .default) }
}

@Entity(isAbstract: true) class Shape: ManagedObject {
  convenience init(in context: LocalContext) { self.init(context: context) }
}

/// A class below an entity that is none itself, and generic code.
class Wolf: Animal {}

private func make<Object: ManagedEntity>(_ type: Object.Type, in context: ManagedObjectContext)
  -> Object
{
  print(type.init(context: context))
  return Object(context: context)
}

extension ManagedEntity {
  static func made(in context: LocalContext) -> Self { Self(context: context) }
}

@MainActor private func program() async throws {
  print(Dog(name: "rex", context: .default), Dog(), Dog(context: .default))
  print(Animal(record: [:], context: .contextWithParent(.default)) ?? "nothing")
  print(make(Dog.self, in: .rootSaving))
  try await Stack.default.save { context in
    Dog.made(in: context).name = "jill"
    print(Dog(context: context))
  }
}
