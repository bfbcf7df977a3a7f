import Cauldron
import Foundation
import Observation

/// What the article shows of an entity.
enum Shown {
  @Entity final class Person: ManagedObject {
    var name: String
    var age: Int = 0
    var employer: String?
  }
}

@Entity final class Person: ManagedObject {
  var name: String
  var age: Int = 0
  var team: String?
  var isOld: Bool = false
  @Relationship(inverse: \Company.employees) var employer: Company?
}

@Entity final class Company: ManagedObject {
  var name: String
  @Relationship var employees: ToMany<Person>
}

let container = try Stack(name: "people")
let context = container.viewContext
let request = Person.fetchRequest(where: \.age >= 18, sortedBy: \.name)
let people = try context.fetch(request)
try await container.save { background in
  Person(context: background).name = "jill"
}

var configuration = StackConfiguration()
configuration.layout = .siblings
let siblings = try Stack(name: "people", configuration: configuration)

extension ManagedEntity {
  static func newest(
    _ count: Int, by key: String, in context: ManagedObjectContext
  ) throws -> [Self] {
    var request = FetchRequest<Self>()
    request.sortKeys = [SortKey(key, ascending: false)]
    request.limit = count
    return try context.fetch(request)
  }
}

@MainActor final class Board {
  let list = FetchedResultsController(Person.where(\.age >= 18), in: context)
}

extension Board: @MainActor FetchedResultsControllerDelegate {
  func controllerWillChangeContent(_ controller: FetchedResultsController<Person>) {}
  func controller(
    _ controller: FetchedResultsController<Person>, didChange section: FetchedResultsSection,
    atSectionIndex number: Int, for type: FetchedResultsChangeType
  ) {}
  func controller(
    _ controller: FetchedResultsController<Person>, didChange object: Person,
    at path: ListPath?, for type: FetchedResultsChangeType, newPath: ListPath?
  ) {}
  func controllerDidReloadContent(_ controller: FetchedResultsController<Person>) {}
  func controllerDidChangeContent(_ controller: FetchedResultsController<Person>) {}
}

/// In code without `async`.
@MainActor func save(_ context: ManagedObjectContext) throws { try context.save() }

@MainActor func saveAndMerge(_ context: ManagedObjectContext) throws {
  try context.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
}

func show(_ person: Person, _ key: String, _ model: ManagedObjectModel) {
  let properties = model.properties(ofEntityNamed: person.entity.name)
  if let property = properties.first(where: { $0.name == key }) {
    if case .attribute(let attribute) = property { print(attribute.type, attribute.isOptional) }
    print(person.value(forKey: key) ?? "no value")
  }
}

/// The calls of the tables.

@MainActor func calls(
  _ context: ManagedObjectContext, _ parent: ManagedObjectContext, _ person: Person,
  _ people: [Person], _ company: Company, _ id: ManagedObjectID, _ request: FetchRequest<Person>,
  _ assignments: [BatchAssignment], _ list: FetchedResultsController<Person>,
  _ section: FetchedResultsSection, _ stack: Stack, _ coordinator: PersistentStoreCoordinator,
  _ model: ManagedObjectModel, _ personEntity: EntityDescription,
  _ companyEntity: EntityDescription, _ url: URL, _ target: URL, _ source: URL, _ uri: URL,
  _ metadata: [String: Any], _ notification: Notification, _ error: CauldronError,
  _ configuration: StackConfiguration, _ first: ManagedObjectModel, _ second: ManagedObjectModel,
  _ plan: MigrationPlan, _ condition: PredicateNode, _ other: PredicateNode
) async throws {
  var request = request
  var configuration = configuration
  _ = ManagedObjectContext(.private, parent: parent)
  _ = context.concurrencyType
  _ = context.persistentStoreCoordinator
  _ = context.parent
  _ = context.name
  _ = context.undoManager
  _ = context.hasChanges
  _ = context.insertedObjects
  _ = context.automaticallyMergesChangesFromParent
  context.mergePolicy = .mergeByPropertyObjectTrump
  _ = context.stalenessInterval
  _ = context.retainsRegisteredObjects
  _ = context.shouldDeleteInaccessibleFaults
  _ = try person.load()
  _ = context.registeredObject(for: id)
  _ = context.object(with: id)
  _ = try context.existingObject(with: id)
  _ = try context.fetch(request)
  _ = try context.count(for: request)
  _ = try context.batchUpdate(request, assignments)
  _ = Person(context: context)
  context.delete(person)
  _ = person.conflicts
  context.refresh(person, mergeChanges: true)
  context.refreshAllObjects()
  _ = try context.undo()
  _ = try context.redo()
  context.reset()
  context.rollback()
  context.processPendingChanges()
  _ = try context.obtainPermanentIDs(for: people)
  context.mergeChanges(fromContextDidSave: notification)
  _ = MergePolicy.error
  _ = person.conflicts
  _ = error.conflicts
  _ = Person(context: context)
  _ = person.entity
  _ = Person.fetchRequest()
  _ = person.managedObjectContext
  _ = person.objectID
  _ = person.isInserted
  _ = person.hasPersistentChangedValues
  _ = person.isFault
  _ = company.employees.map(\.objectID)
  _ = Observations({ person.observed.name })
  _ = person.value(forKey: "name")
  company.employees.insert(person)
  _ = person.primitiveValue(forKey: "name")
  _ = person.committedValues(forKeys: nil)
  _ = person.changedValues()
  _ = id.entityName
  _ = id.isTemporaryID
  _ = coordinator.storeURL
  _ = id.uriRepresentation
  _ = FetchRequest<Person>()
  _ = request.entityName
  request.predicate = try PredicateNode(format: "age >= %@", 18)
  request.sortKeys = [SortKey("name")]
  request.limit = 20
  _ = request.fetchBatchSize
  _ = try context.fetchObjectIDs(request)
  _ = request.includesSubentities
  _ = try context.fetchObjectIDs(request)
  _ = request.includesPendingChanges
  _ = request.returnsObjectsAsFaults
  request.relationshipKeyPathsForPrefetching = ["employer"]
  _ = request.shouldRefreshRefetchedObjects
  _ = try context.fetchDictionaries(request, names: ["name"])
  _ = try Person.where(\.age >= 18).grouped(by: \.team).sum(\.age, in: context)
  _ = try Person.findAll(in: context)
  _ = try await Person.where(\.age >= 18).fetch()
  _ = try Person.where(\.age > 99).batchUpdate(in: context) { $0.isOld.set(true) }
  _ = try Person.where(\.age > 99).batchDelete(in: context)
  _ = context.changes
  _ = FetchedResultsController(request, in: context, sectionBy: .value("team"))
  _ = list.fetchRequest
  _ = list.managedObjectContext
  _ = list.delegate
  _ = try await list.performFetch()
  _ = list.fetchedObjects
  _ = list.object(at: ListPath(section: 0, item: 3))
  _ = list.indexPath(forObject: person)
  _ = list.sections
  _ = list.sectionIndexTitles
  _ = section.numberOfObjects
  _ = list.objects(in: section)
  _ = try Stack(name: "people")
  _ = try Stack.storeURL(named: "people")
  _ = stack.model.name
  _ = stack.viewContext
  _ = stack.model
  _ = stack.coordinator
  _ = stack.newBackgroundContext()
  _ = try Stack(storeURL: url, configuration: configuration)
  _ = StackConfiguration()
  configuration.readOnly = true
  configuration.busyTimeout = 5
  configuration.synchronous = .normal
  configuration.migration = .automatic
  _ = try Stack(storeURL: url, model: model)
  _ = try stack.close()
  _ = coordinator.managedObjectModel
  _ = coordinator.storeURL
  _ = try Stack.moveStore(at: url, to: target)
  _ = coordinator.storeIdentifier
  _ = StackConfiguration()
  _ = coordinator.managedObjectID(forURIRepresentation: uri)
  _ = try Stack.metadata(ofStoreAt: url)
  _ = try Stack.setMetadata(metadata, forStoreAt: url)
  _ = try context.fetch(request)
  _ = try Stack.copyStore(at: url, to: target)
  _ = try Stack.destroyStore(at: url)
  _ = try Stack.replaceStore(at: url, withStoreAt: source)
  _ = try ManagedObjectModel(contentsOf: url)
  _ = try ManagedObjectModel.discovered()
  _ = try ManagedObjectModel(entities: [personEntity, companyEntity])
  _ = try ManagedObjectModel(entities: first.entities + second.entities)
  _ = model.entities.first { $0.name == "Person" }
  _ = model.properties(ofEntityNamed: "Person")
  _ = person.entity.userInfo
  _ = Array(company.employees)
  company.employees = ToMany(people)
  _ = try PredicateNode(format: "age >= %@", 18)
  _ = PredicateNode.constant(true)
  _ = people.filter { $0.age >= 18 }
  _ = try condition.evaluate(with: person)
  _ = try PredicateNode(format: "age >= $least", arguments: [], variables: ["least": 18])
  _ = PredicateNode.and([condition, other])
  _ = PredicateNode.or([condition, other])
  _ = PredicateNode.not(condition)
  _ = SortKey("name", ascending: false)
  _ = Person.where(\.age >= 18).sorted(by: \.name)
  _ = SortKey("name", ascending: false, .localizedStandard)
  _ = SortKey("name", .ignoringCase)
  context.undoManager?.setActionName("Rename")
  _ = \Person.name
  _ = try Stack(storeURL: url, model: model.configuration(named: "Local"))
  _ = try model.configuration(named: "Local")
  _ = try model.fetchRequestFromTemplate(withName: "adults")
  _ = person.value(forKey: "colleagues")
  _ = model.versionIdentifiers
  _ = model.entityVersionHashesByName
  _ = try Stack.migrationForecast(storeURL: url)
  _ = try context.insertNewObject(forEntityName: "Person")
  _ = try Person.entityDescription(in: context)
  _ = AttributeDescription(name: "value", type: .double)
  _ = AttributeDescription(name: "spot", type: .composite)
  _ = MigrationPolicy.plan(plan)
  _ = ManagedObjectContext.willSaveObjectsNotification
  _ = ManagedObjectContext.didSaveObjectsNotification
  _ = ManagedObjectContext.didChangeObjectsNotification
  _ = ManagedObjectContext.didSaveObjectIDsNotification
  _ = ManagedObjectContext.didMergeChangesObjectIDsNotification
  _ = notification.insertedObjects
  _ = notification.updatedObjects
  _ = notification.deletedObjects
  _ = notification.refreshedObjects
  _ = notification.invalidatedObjects
  _ = notification.invalidatedAllObjectIDs
  _ = notification.insertedObjectIDs
  _ = notification.updatedObjectIDs
  _ = notification.deletedObjectIDs
  _ = notification.refreshedObjectIDs
  _ = notification.invalidatedObjectIDs
  _ = notification.contextChange
  _ = context.changes
}
