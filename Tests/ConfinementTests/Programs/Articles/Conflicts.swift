import Cauldron

@Entity final class Person: ManagedObject {
  var name: String
}

@Entity final class Account: ManagedObject {
  @Attribute(.unique) var number: String
  var balance: Int = 0
  var paymentCount: Int = 0
  @Relationship(inverse: \Payment.account) var payments: ToMany<Payment>
}

@Entity final class Payment: ManagedObject {
  @Relationship var account: Account?
}

@MainActor func tell(_ person: Person, _ context: ManagedObjectContext) async throws {
  for property in person.conflicts.flatMap(\.properties) {  // before the save: was, theirs, mine
    print(property.name, property.was, property.theirs as Any, property.mine as Any)
  }
  let outcome = try await context.save(
    toPersistentStore: true, mergePolicy: .mergeByPropertyStoreTrump)
  if case .saved(let summary) = outcome {
    for resolution in summary.resolutions { print(resolution) }
  }
}

func saveAdding(_ context: ManagedObjectContext) throws {
  do {
    try context.save()
  } catch let error as CauldronError where error.code == .saveConflict {
    for conflict in error.conflicts {
      guard let account = try context.existingObject(with: conflict.objectID) as? Account,
        let balance = conflict.properties.first(where: { $0.name == "balance" }),
        case .integer(let was) = balance.was, case .integer(let mine)? = balance.mine,
        case .integer(let theirs)? = balance.theirs
      else { throw error }
      // The edit counts as made from the newest values.
      context.refresh(account, mergeChanges: true)
      account.balance = Int(theirs + mine - was)
    }
    try context.save()
  }
}

func saveCounting(_ context: ManagedObjectContext) throws {
  do {
    try context.save()
  } catch let error as CauldronError where error.code == .saveConstraint {
    let outcome = try context.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    guard case .saved(let summary) = outcome else { return }
    for resolution in summary.resolutions where resolution.outcome == .becameExisting {
      let account = try context.existingObject(with: resolution.objectID) as? Account
      account?.paymentCount = account?.payments.count ?? 0
    }
    try context.save()
  }
}
