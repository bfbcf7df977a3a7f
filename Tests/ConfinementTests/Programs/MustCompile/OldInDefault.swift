// MagicalRecord's calls that take `in:` are given the default context by its name alone.
import CauldronMagicalRecord
import Foundation

@available(*, deprecated)
@MainActor private func find(_ person: Person, _ all: NSPredicate, _ request: FetchRequest<Person>)
{
  _ = Person.mr_findAll(in: .default)
  _ = Person.mr_findAll(with: all, in: .default)
  _ = Person.mr_findAllSorted(by: "name", ascending: true, in: .default)
  _ = Person.mr_findAllSorted(by: "name", ascending: true, with: all, in: .default)
  _ = Person.mr_find(byAttribute: "name", withValue: "jack", in: .default)
  _ = Person.mr_find(
    byAttribute: "name", withValue: "jack", andOrderBy: "name", ascending: true, in: .default)
  _ = Person.mr_findFirst(in: .default)
  _ = Person.mr_findFirst(with: all, in: .default)
  _ = Person.mr_findFirst(with: all, sortedBy: "name", ascending: true, in: .default)
  _ = Person.mr_findFirst(with: all, andRetrieveAttributes: ["name"], in: .default)
  _ = Person.mr_findFirst(byAttribute: "name", withValue: "jack", in: .default)
  _ = Person.mr_findFirstOrdered(byAttribute: "name", ascending: true, in: .default)
  _ = Person.mr_findFirstOrCreate(byAttribute: "name", withValue: "jack", in: .default)
  _ = person.mr_objectWithMinValue(for: "age", in: .default)
  _ = Person.mr_execute(request, in: .default)
  _ = Person.mr_executeFetchRequest(request, in: .default)
  _ = Person.mr_executeFetchRequestAndReturnFirstObject(request, in: .default)
}

@available(*, deprecated)
@MainActor private func count(_ all: NSPredicate) {
  _ = Person.mr_countOfEntities(with: .default)
  _ = Person.mr_countOfEntities(with: all, in: .default)
  _ = Person.mr_numberOfEntities(with: .default)
  _ = Person.mr_numberOfEntities(with: all, in: .default)
  _ = Person.mr_hasAtLeastOneEntity(in: .default)
  _ = Person.mr_aggregateOperation("sum:", onAttribute: "age", with: all, in: .default)
  _ = Person.mr_aggregateOperation(
    "sum:", onAttribute: "age", with: all, groupBy: "name", in: .default)
}

@available(*, deprecated)
@MainActor private func change(_ person: Person, _ all: NSPredicate, _ records: [[String: Any]]) {
  _ = Person.mr_createEntity(in: .default)
  _ = Person.mr_create(in: .default)
  _ = Person.mr_deleteAll(matching: all, in: .default)
  _ = Person.mr_truncateAll(in: .default)
  _ = person.mr_deleteEntity(in: .default)
  _ = person.mr_delete(in: .default)
  _ = person.mr_(in: .default)
  let one: Person? = Person.mr_import(from: ["name": "jack"], in: .default)
  let several: [Person]? = Person.mr_import(from: records, in: .default)
  print(one ?? "", several ?? "")
}

@available(*, deprecated)
@MainActor private func request(_ all: NSPredicate) {
  _ = Person.mr_createFetchRequest(in: .default)
  _ = Person.mr_requestAll(in: .default)
  _ = Person.mr_requestAll(with: all, in: .default)
  _ = Person.mr_requestAllWhere("name", isEqualTo: "jack", in: .default)
  _ = Person.mr_requestAllSorted(by: "name", ascending: true, in: .default)
  _ = Person.mr_requestAllSorted(by: "name", ascending: true, with: all, in: .default)
  _ = Person.mr_requestFirst(with: all, in: .default)
  _ = Person.mr_requestFirst(byAttribute: "name", withValue: "jack", in: .default)
  _ = Person.mr_entityDescription(in: .default)
  _ = Person.mr_propertiesNamed(["name"], in: .default)
}

@MainActor private func conveniences() throws {
  _ = try Person.findAll(where: \.age > 3, sortedBy: "name", in: .default)
  _ = try Person.findFirst(where: \.age > 3, sortedBy: "name", in: .default)
  _ = try Person.properties(named: ["name"], in: .default)
  _ = try Person.fetchAll(sortedBy: \.name, in: .default)
}

@available(*, deprecated)
@MainActor private func follow(_ all: NSPredicate, _ request: FetchRequest<Person>) {
  _ = Person.mr_fetchController(
    request, delegate: nil, useFileCache: false, groupedBy: nil, in: .default)
  _ = Person.mr_fetchAll(with: nil, in: .default)
  _ = Person.mr_fetchAllSorted(
    by: "name", ascending: true, with: all, groupBy: nil, delegate: nil, in: .default)
  _ = Person.mr_fetchAllGrouped(
    by: "name", with: all, sortedBy: "name", ascending: true, in: .default)
  _ = Person.mr_fetchAllGrouped(
    by: "name", with: all, sortedBy: "name", ascending: true, delegate: nil, in: .default)
}
