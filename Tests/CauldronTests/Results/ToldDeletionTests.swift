import Cauldron
import TestSupport
import Testing

/// A list tells its delegate of a deletion with the object that the program holds, and that has its values.
@Suite(.againstHanging) struct ToldDeletionTests {
  enum Ending: CaseIterable { case deletedAndSaved, deletedUnsaved, rolledBack }

  @Test(arguments: StackLayout.allCases, Ending.allCases)
  func `the object of a deletion is the one that was held`(
    _ layout: StackLayout, _ ending: Ending
  ) throws {
    let bench = try Bench { $0.layout = layout }
    let observer = Observer()
    let list = try bench.onMain { main in
      if ending == .deletedAndSaved {
        Person.named("ann", in: main)
        try main.save()
      }
      let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: main)
      list.delegate = observer
      try list.performFetchAndWait()
      return Lent(list)
    }
    try bench.onMain { main in
      let ann =
        try Person.findFirst(in: main) ?? Person.named("ann", in: main)
      observer.held = ann
      main.processPendingChanges()
    }
    try list.value.settleAndWait()
    try bench.onMain { main in
      switch ending {
      case .deletedAndSaved:
        observer.held?.delete()
        try main.save()
      case .deletedUnsaved: observer.held?.delete()
      case .rolledBack: main.rollback()
      }
      main.processPendingChanges()
    }
    try list.value.settleAndWait()
    bench.onMain { _ in #expect(observer.deletions == ["ann true"]) }
  }
}

/// Notes what it is told of deletions; it is used on the main queue alone.
private final class Observer: FetchedResultsControllerDelegate, @unchecked Sendable {
  var held: Person?
  var deletions: [String] = []

  func controller(
    _ controller: FetchedResultsController<Person>, didChange object: Person, at path: ListPath?,
    for type: FetchedResultsChangeType, newPath: ListPath?
  ) {
    if type == .delete { deletions.append("\(object.name) \(object === held)") }
  }
}
