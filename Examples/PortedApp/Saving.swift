import Cauldron
import Foundation

@MainActor func useContexts() throws {
  // NSManagedObjectContext *session =
  //   [NSManagedObjectContext MR_contextWithParent:[NSManagedObjectContext MR_defaultContext]];
  let session = ManagedObjectContext.contextWithParent(.default)
  // [session MR_setWorkingName:@"Edit Session"];
  session.name = "Edit Session"

  // Person *bob = [[Person MR_findFirstByAttribute:@"name" withValue:@"Bob"] MR_inContext:session];
  let bob = try Person.findFirst(\.name, "Bob")?.in(session)
  bob?.age = 21
  print("in the session: \(bob?.age ?? 0), outside: \(try ageOfBob())")

  // [session MR_saveOnlySelfAndWait];
  try session.saveAndWait(toPersistentStore: false)
  // The main context shows it from its next turn on, or from here: there is no old call for that.
  ManagedObjectContext.default.processPendingChanges()
  print("one level saved: \(try ageOfBob())")

  // [session MR_saveWithOptions:MRSaveParentContexts | MRSaveSynchronously completion:nil];
  bob?.age = 22
  session.save(options: [.parentContexts, .synchronously], completion: nil)
  print("all levels saved: \(try ageOfBob())")

  // [[NSManagedObjectContext MR_defaultContext] MR_saveWithBlockAndWait:^(… *localContext) { … }];
  try ManagedObjectContext.default.saveAndWait { localContext in
    try Person.findFirst(\.name, "Dan", in: localContext)?.team = "green"
  }
  print("Dan is \(try Person.findFirst(\.name, "Dan")?.team ?? "without a team")")
}

@MainActor func delete() throws {
  // [[Person MR_findFirstByAttribute:@"name" withValue:@"Dan"] MR_deleteEntity];
  try Person.findFirst(\.name, "Dan")?.delete()

  // [Person MR_deleteAllMatchingPredicate:[NSPredicate predicateWithFormat:@"team = %@", @"blue"]];
  let count = try Person.deleteAll(where: \.team == "blue")
  print("deleted \(count), left: \(try Person.count())")
}

@MainActor func saveInBackground() {
  // [MagicalRecord saveWithBlock:^(NSManagedObjectContext *localContext) { … }
  //                   completion:^(BOOL contextDidSave, NSError *error) { … }];
  Stack.default.save { localContext in
    let company = try? Company.findFirst(\.name, "Acme", in: localContext)
    let person = Person.create(in: localContext)
    person.name = "Eve"
    person.employer = company
  } completion: { didSave, error in
    // The completion runs on the main queue.
    MainActor.assumeIsolated { end(didSave, error) }
  }
}

@MainActor private func end(_ didSave: Bool, _ error: (any Error)?) {
  do {
    if let error { throw error }
    let company = try Company.findFirst(\.name, "Acme")
    let names = try company?.employees.sorted(by: \.name).map(\.name) ?? []
    print("saved in the background: \(didSave), at Acme: \(names.joined(separator: ", "))")
    try ManagedObjectContext.default.saveAndWait(toPersistentStore: true)
    // [MagicalRecord cleanUp];
    try Stack.cleanUp()
    exit(0)
  } catch {
    print(error)
    exit(1)
  }
}

@MainActor private func ageOfBob() throws -> Int {
  try Person.findFirst(\.name, "Bob")?.age ?? 0
}
