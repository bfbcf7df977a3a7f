import CauldronMagicalRecord
import Foundation

@available(*, deprecated)
@MainActor private func port() {
  MagicalRecord.errorHandler = { error in print(error) }
  MagicalRecord.setupCoreDataStack(withStoreNamed: "people")
  let jack = Person.mr_createEntity()
  jack?.name = "jack"
  NSManagedObjectContext.mr_default().mr_saveToPersistentStoreAndWait()
  MagicalRecord.save(
    { localContext in
      let jill = Person.mr_createEntity(in: localContext)
      jill?.name = "jill"
      let adults = NSPredicate(format: "age >= %d", 18)
      if let first = Person.mr_findFirst(with: adults, in: localContext) { first.mr_deleteEntity() }
      Person.mr_truncateAll(in: localContext)
      Person.mr_import(from: ["name": "joe", "age": "17"], in: localContext)
    },
    completion: { didSave, error in print(didSave, error ?? "no error") })
  let everyone = Person.mr_findAllSorted(by: "name", ascending: true) ?? []
  print(everyone.count, Person.mr_countOfEntities())
  load()
}

@available(*, deprecated)
@MainActor private func load() {
  let parsed = try? JSONSerialization.jsonObject(with: Data(#"[{"name": "jo"}]"#.utf8))
  let people: [Person]? = Person.mr_import(from: parsed as? [[String: Any]])
  let joe: Person? = Person.mr_import(from: parsed)
  joe?.mr_importValuesForKeys(with: ["age": 18])
  print(people?.count ?? 0)
}
