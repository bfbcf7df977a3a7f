import Cauldron

@MainActor func find() throws {
  // [Person MR_findAll]
  show("all", try Person.findAll().sorted { $0.name < $1.name })

  // [Person MR_findAllSortedBy:@"team:YES,age:NO" ascending:YES]
  show("by team and age", try Person.findAll(sortedBy: \.team, \.age.descending))

  // [Person MR_findAllSortedBy:@"name" ascending:NO
  //              withPredicate:[NSPredicate predicateWithFormat:@"age >= 18"]]
  show("adults", try Person.findAll(where: \.age >= 18, sortedBy: \.name, ascending: false))

  // [Person MR_findByAttribute:@"team" withValue:@"red" andOrderBy:@"name" ascending:YES]
  show("red", try Person.findAll(\.team, "red", sortedBy: \.name))

  // [Person MR_findByAttribute:@"team" withValue:nil]
  show("no team", try Person.findAll(\.team, nil))

  // [Person MR_findFirstByAttribute:@"name" withValue:@"Bob"]
  show("Bob", try Person.findFirst(\.name, "Bob"))

  // [Person MR_findFirstOrderedByAttribute:@"age" ascending:YES]
  show("youngest", try Person.findFirst(sortedBy: \.age))

  // [Person MR_findFirstWithPredicate:[NSPredicate predicateWithFormat:@"name BEGINSWITH %@", @"C"]]
  show("C…", try Person.findFirst(where: .beginsWith(\.name, "C")))
}

@MainActor func request() throws {
  let context = ManagedObjectContext.default

  // NSFetchRequest *request = [Person MR_requestAllSortedBy:@"age" ascending:YES];
  var request = Person.fetchRequest(sortedBy: \.age)
  request.limit = 2
  // [Person MR_executeFetchRequest:request]
  show("two youngest", try context.fetch(request))

  // [Person MR_executeFetchRequestAndReturnFirstObject:request]
  show("the first of them", try context.fetchFirst(request))

  // [Person MR_requestAllWhere:@"team" isEqualTo:@"blue"]
  show("blue", try context.fetch(Person.fetchRequest(where: \.team == "blue")))
}

@MainActor func count() throws {
  // [Person MR_countOfEntities], [Person MR_countOfEntitiesWithPredicate:predicate]
  print("count: \(try Person.count()), adults: \(try Person.count(where: \.age >= 18))")

  // [Company MR_hasAtLeastOneEntity]
  print("any company: \(try Company.hasAny())")

  // [Person MR_aggregateOperation:@"sum:" onAttribute:@"age" withPredicate:nil]
  print("sum of ages: \(try Person.findAll().map(\.age).reduce(0, +))")
}

@MainActor private func show(_ title: String, _ people: [Person]) {
  print("\(title): \(people.map(\.name).joined(separator: ", "))")
}

@MainActor private func show(_ title: String, _ person: Person?) {
  print("\(title): \(person?.name ?? "nobody")")
}
