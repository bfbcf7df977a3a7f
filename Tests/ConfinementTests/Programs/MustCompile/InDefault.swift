// Every call that takes `in:` is given the default context by its name alone; a test counts them.
import Cauldron
import Foundation

@MainActor private func find(_ id: ManagedObjectID) throws {
  _ = try Person.find(id, in: .default)
  _ = try Person.findAll(in: .default)
  _ = try Person.findAll(where: \.age > 3, sortedBy: \.name, in: .default)
  _ = try Person.findAll(sortedBy: \.employer.name, \.age.descending, in: .default)
  _ = try Person.findAll(\.name, "jack", in: .default)
  _ = try Person.findAll(\.birthday, nil, in: .default)
  _ = try Person.findAll(matching: "age > %d", 3, in: .default)
  _ = try Person.findAll(where: #Predicate { $0.age > 3 }, in: .default)
  _ = try Person.findAll(where: #Predicate { $0.age > 3 }, sortedBy: \.name, in: .default)
  _ = try Person.findAll(where: { $0.age > 3 }, in: .default)
  _ = try Person.findAll(where: { $0.age > 3 }, sortedBy: { $0.name }, in: .default)
  _ = try Person.findAll(sortedBy: { $0.name }, in: .default)
  _ = try Person.findFirst(in: .default)
  _ = try Person.findFirst(where: \.age > 3, sortedBy: \.name, in: .default)
  _ = try Person.findFirst(\.name, "jack", in: .default)
  _ = try Person.findFirst(\.birthday, nil, in: .default)
  _ = try Person.findFirst(matching: "age > %d", 3, in: .default)
  _ = try Person.findFirst(where: { $0.age > 3 }, in: .default)
  _ = try Person.findFirst(where: { $0.age > 3 }, sortedBy: { $0.name }, in: .default)
  _ = try Person.where(\.age > 3).randomSample(2, in: .default)
  _ = try Person.findOrCreate(\.name, "jack", in: .default)
  _ = try Person.findOrCreate((\.name, "jack"), (\.age, 3), in: .default)
  _ = try Company.findOrCreate((\.name, "a"), (\.name, "b"), (\.name, "c"), in: .default)
}

@MainActor private func count(_ companies: [Company]) throws {
  _ = try Person.count(in: .default)
  _ = try Person.matching("age > %d", 3).count(in: .default)
  _ = try Person.count(where: { $0.age > 3 }, in: .default)
  _ = try Person.hasAny(in: .default)
  _ = try Person.matching("age > %d", 3).exists(in: .default)
  _ = try Person.hasAny(where: Where { $0.age > 3 }, in: .default)
  _ = try Company.counts(of: \.employees, for: companies, in: .default)
}

@MainActor private func change(_ person: Person, _ records: [[String: Int]]) throws {
  _ = Person.create(in: .default)
  _ = Person(context: .default)
  try Person.deleteAll(where: \.age > 3, in: .default)
  try Person.deleteAll(where: { $0.age > 3 }, in: .default)
  try Person.deleteAll(where: Where(format: "age > %d", 3), in: .default)
  try Person.deleteAll(where: nil, in: .default)
  try person.delete(in: .default)
  _ = try Person.importFrom([["name": "jack"]] as [Any], in: .default)
  _ = try Person.importFrom(records, in: .default)
  _ = try Person.batchInsert(0..<3, in: .default) { row, index in row.age = index }
  _ = try Person.batchInsert(["a"], in: .default) { row, value in row.name = value }
  _ = try Person.upsert(["a"], on: \.name, in: .default) { row, value in row.name = value }
  _ = try Person.where(\.age > 3).batchUpdate(in: .default) { $0.age.set(4) }
  _ = try Person.where(\.age > 3).batchDelete(in: .default)
}

@MainActor private func ask() throws {
  let adults = Person.where(\.age > 3)
  _ = try adults.fetch(in: .default)
  _ = try adults.first(in: .default)
  _ = try adults.count(in: .default)
  _ = try adults.exists(in: .default)
  _ = try adults.batches(in: .default)
  _ = try adults.fetchIDs(in: .default)
  _ = try adults.explain(in: .default)
  try adults.forEach(in: .default) { print($0.name) }
  _ = try adults.sum(\.age, in: .default)
  _ = try adults.average(\.age, in: .default)
  _ = try adults.min(\.age, in: .default)
  _ = try adults.min(\.birthday, in: .default)
  _ = try adults.max(\.age, in: .default)
  _ = try adults.max(\.birthday, in: .default)
  _ = try adults.min(by: \.age, in: .default)
  _ = try adults.max(by: \.age, in: .default)
  _ = try adults.values(in: .default) { $0.count }
  _ = try adults.values(in: .default) { ($0.count, $0.max(\.age)) }
  _ = try adults.select(\.name).fetch(in: .default)
  let assets = Asset.where(\.number > 3)
  _ = (try assets.min(\.isSold, in: .default), try assets.min(\.isRare, in: .default))
  _ = (try assets.max(\.isSold, in: .default), try assets.max(\.isRare, in: .default))
  _ = try Asset.where(\.number > 3).sum(\.price, in: .default)
  _ = try Asset.where(\.number > 3).average(\.price, in: .default)
  _ = try Asset.where(\.number > 3).sum({ $0.number * 2 }, in: .default)
  _ = try Asset.where(\.number > 3).average({ $0.number * 2 }, in: .default)
}

@MainActor private func ask(_ groups: ObjectGroups<Asset, String>) throws {
  _ = try groups.count(in: .default)
  _ = try groups.sum(\.number, in: .default)
  _ = try groups.sum(\.price, in: .default)
  _ = try groups.average(\.number, in: .default)
  _ = try groups.sum({ $0.number * 2 }, in: .default)
  _ = try groups.average({ $0.number * 2 }, in: .default)
  _ = try groups.average(\.price, in: .default)
  _ = try groups.min(\.number, in: .default)
  _ = try groups.min(\.price, in: .default)
  _ = try groups.max(\.number, in: .default)
  _ = try groups.max(\.price, in: .default)
  _ = (try groups.min(\.isSold, in: .default), try groups.min(\.isRare, in: .default))
  _ = (try groups.max(\.isSold, in: .default), try groups.max(\.isRare, in: .default))
  _ = try groups.values(in: .default) { $0.count }
  _ = try groups.values(in: .default) { ($0.count, $0.max(\.number)) }
  _ = groups.updates(in: .default) { $0.count }
  _ = groups.updates(in: .default) { ($0.count, $0.max(\.number)) }
}

@MainActor private func follow() throws {
  let adults = Person.where(\.age > 3)
  _ = adults.updates(in: .default)
  _ = adults.select(\.name).updates(in: .default)
  _ = adults.counts(in: .default)
  _ = FetchedResultsController(adults, in: .default)
  _ = FetchedResultsController(Person.fetchRequest(), in: .default)
}

private func others() throws {
  _ = try Person.entityDescription(in: .default)
  _ = try Person.findAll(in: .rootSaving)
  _ = try Person.findAll(in: .contextWithParent(.default))
  _ = Person.create(in: .contextWithParent(.rootSaving))
}

@Entity final class Asset: ManagedObject {
  var isSold: Bool = false
  var isRare: Bool?
  var kind: String
  var number: Int = 0
  var price: Double?
}
