import Cauldron
import Foundation

@MainActor func setUp(inMemory: Bool) throws {
  // [MagicalRecord setLoggingLevel:MagicalRecordLoggingLevelError];
  Stack.logLevel = .error

  if inMemory {
    // [MagicalRecord setupCoreDataStackWithInMemoryStore];
    try setupStackInMemory()
  } else {
    // [MagicalRecord setupCoreDataStackWithAutoMigratingSqliteStoreNamed:@"contacts.sqlite"];
    try setupAutoMigratingStack(storeNamed: "contacts.sqlite")
  }

  // [[NSPersistentStore MR_defaultPersistentStore] URL]
  print("store: \(Stack.default.coordinator.storeURL?.lastPathComponent ?? "in memory")")

  // [[NSManagedObjectContext MR_defaultContext] MR_parentChain]
  let chain = ManagedObjectContext.default.parentChain.map(\.name)
  print("chain: \(chain.joined(separator: ", "))")

  // [Person MR_truncateAll]; [Company MR_truncateAll];
  try Person.deleteAll(where: nil)
  try Company.deleteAll(where: nil)
  // [[NSManagedObjectContext MR_defaultContext] MR_saveToPersistentStoreAndWait];
  try ManagedObjectContext.default.saveAndWait(toPersistentStore: true)
}

@MainActor func fill() throws {
  // [MagicalRecord saveWithBlockAndWait:^(NSManagedObjectContext *localContext) { … }];
  try Stack.default.saveAndWait { localContext in
    // [Company MR_findFirstOrCreateByAttribute:@"name" withValue:@"Acme" inContext:localContext]
    let acme = try Company.findOrCreate(\.name, "Acme", in: localContext)
    for (name, age, team) in [("Ada", 36, "red"), ("Bob", 20, "blue"), ("Cyd", 52, "red")] {
      // [Person MR_createEntityInContext:localContext]
      let person = Person.create(in: localContext)
      person.name = name
      person.age = age
      person.team = team
      person.employer = acme
    }
  }

  // Person *person = [Person MR_createEntity];
  let person = Person.create()
  person.name = "Dan"
  person.age = 17
  // [[NSManagedObjectContext MR_defaultContext] MR_saveOnlySelfAndWait];
  try ManagedObjectContext.default.save()
}
