import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A project has no or two to four chores, and one to three helpers.
@Suite(.againstHanging) struct CountTests {
  @Test(arguments: StoreKind.allCases, [(0, true), (1, false), (2, true), (4, true), (5, false)])
  func `the objects of a new one are counted`(kind: StoreKind, tasks: (Int, Bool)) throws {
    let bench = try Workshop.bench(kind)
    let context = bench.child()
    let project = Workshop.project(tasks: tasks.0, in: context)
    if tasks.1 { return try context.saveAndWait(toPersistentStore: true).ignored }
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    let isFew = tasks.0 < 2
    #expect(error?.code == (isFew ? .validationTooFew : .validationTooMany))
    #expect(error?.code.coreDataCode == (isFew ? 1580 : 1590))
    #expect(
      error?.message
        == "Project.tasks must lead to at \(isFew ? "least 2" : "most 4") objects.")
    #expect(error?.entity == "Project" && error?.property == "tasks")
    #expect(error?.objectIDs == [project.objectID])
    #expect(try Project.count(in: bench.committed()) == 0)
  }

  @Test(arguments: [(0, "least 1 object."), (4, "most 3 objects.")])
  func `a required relationship leads to one object at least`(
    helpers: Int, end: String
  ) throws {
    let context = try Workshop.bench().child()
    Workshop.project(helpers: helpers, in: context)
    let error = cauldronError { try context.save() }
    #expect(error?.message == "Project.helpers must lead to at \(end)")
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `the objects of a saved one are counted where some came or went`(
    kind: StoreKind, isApart: Bool
  ) throws {
    let bench = try Workshop.bench(kind)
    let writer = bench.child()
    let id = Workshop.project(tasks: 3, in: writer).objectID
    try writer.saveAndWait(toPersistentStore: true)
    let context = bench.child()
    let project = try #require(try Project.find(id, in: context))
    func add() {
      project.tasks.insert(Chore.create(in: context))
      if isApart { context.processPendingChanges() }
    }
    add()
    try context.saveAndWait(toPersistentStore: true)
    add()
    #expect(cauldronError { try context.save() }?.code == .validationTooMany)
    project.tasks.objects[0].delete()
    try context.saveAndWait(toPersistentStore: true)
    for chore in project.tasks.objects.dropFirst() { chore.delete() }
    #expect(cauldronError { try context.save() }?.code == .validationTooFew)
    project.tasks.objects[0].delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Chore.count(in: bench.committed()) == 0)
  }

  @Test func `one that is moved is missed where it was, and counted where it is`() throws {
    let context = try Workshop.bench().child()
    let projects = (0..<2).map { _ in Workshop.project(helpers: 3, in: context) }
    try context.save()
    projects[0].helpers.objects[0].project = projects[1]
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationTooMany && error?.objectIDs == [projects[1].objectID])
    context.rollback()
    let single = Workshop.project(in: context)
    try context.save()
    single.helpers.objects[0].project = nil
    let other = cauldronError { try context.save() }
    #expect(other?.code == .validationTooFew && other?.objectIDs == [single.objectID])
  }

  @Test func `what goes with its owner is not missed`() throws {
    let context = try Workshop.bench().child()
    let project = Workshop.project(tasks: 2, in: context)
    try context.save()
    for chore in project.tasks { chore.delete() }
    for helper in project.helpers { helper.delete() }
    project.delete()
    try context.save()
  }

  @Test func `two children that are right each by itself are not right together`() throws {
    let bench = try Workshop.bench(.file)
    let writer = bench.child()
    let id = Workshop.project(helpers: 1, in: writer).objectID
    try writer.saveAndWait(toPersistentStore: true)
    let children = (0..<2).map { bench.child("Child \($0)") }
    for child in children {
      child.performAndWait { context in
        let project = try? Project.find(id, in: context)
        for _ in 0..<2 {
          Helper.create(in: context).project = project
        }
      }
    }
    // The second one sees what the first has saved by its own save only.
    try children[0].performAndWait { try $0.save() }
    let error = cauldronError { try children[1].saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationTooMany)
    #expect(children[1].performAndWait { $0.hasChanges })
    try bench.root.performAndWait { try $0.save() }
    #expect(try Helper.count(in: bench.committed()) == 3)
  }

  @Test func `random moves are refused exactly where a count is wrong`() throws {
    var generator = SeededGenerator(seed: 11)
    let bench = try Workshop.bench()
    let context = bench.child()
    var projects = (0..<4).map { _ in Workshop.project(helpers: 2, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 1..<4, using: &generator) {
        step(&projects, context, &generator)
        if Bool.random(using: &generator) { context.processPendingChanges() }
      }
      // What is deleted is missed at the event's end.
      context.processPendingChanges()
      let wrong = projects.filter { !$0.isDeleted && !(1...3).contains($0.helpers.count) }
      if wrong.isEmpty {
        try context.saveAndWait(toPersistentStore: Bool.random(using: &generator))
      } else {
        let error = cauldronError { try context.save() }
        #expect(Set(error?.objectIDs ?? []) == Set(wrong.map(\.objectID)))
        context.rollback()
      }
      projects = try Project.findAll(in: context)
    }
  }

  private func step(
    _ projects: inout [Project], _ context: ManagedObjectContext,
    _ generator: inout SeededGenerator
  ) {
    let project = projects.filter { !$0.isDeleted }.randomElement(using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: project?.helpers.insert(Helper.create(in: context))
    case 1: project?.helpers.objects.randomElement(using: &generator)?.delete()
    case 2:
      let other = projects.filter { !$0.isDeleted }.randomElement(using: &generator)
      project?.helpers.objects.randomElement(using: &generator)?.project = other
    case 3: projects.append(Workshop.project(helpers: 1, in: context))
    default:
      guard projects.count(where: { !$0.isDeleted }) > 2 else { return }
      for helper in project?.helpers.objects ?? [] { helper.delete() }
      project?.delete()
    }
  }
}

@Entity final class Crew: ManagedObject {
  var name: String = ""
  @Relationship(.required, inverse: \Shift.crews, maxCount: 2) var shifts: ToMany<Shift>
}

@Entity final class Shift: ManagedObject {
  var name: String = ""
  @Relationship(maxCount: 3) var crews: ToMany<Crew>
}

extension CountTests {
  @Test(arguments: StoreKind.allCases, [false, true])
  func `links are counted at both ends`(kind: StoreKind, isSaved: Bool) throws {
    let model = try ManagedObjectModel(
      entities: [Crew._describeEntity(), Shift._describeEntity()])
    let bench = try Bench(kind, model: model)
    let context = bench.child()
    let crew = Crew.create(in: context)
    let shifts = (0..<3).map { _ in Shift.create(in: context) }
    #expect(cauldronError { try context.save() }?.code == .validationTooFew)
    crew.shifts.insert(shifts[0])
    crew.shifts.insert(shifts[1])
    if isSaved { try context.saveAndWait(toPersistentStore: true) }
    crew.shifts.insert(shifts[2])
    let error = cauldronError { try context.save() }
    #expect(error?.message == "Crew.shifts must lead to at most 2 objects.")
    #expect(error?.objectIDs == [crew.objectID])
    crew.shifts.remove(shifts[0])
    for _ in 0..<2 { Crew.create(in: context).shifts.insert(shifts[1]) }
    try context.saveAndWait(toPersistentStore: true)
    let last = Crew.create(in: context)
    last.shifts.insert(shifts[1])
    let other = cauldronError { try context.save() }
    #expect(other?.message == "Shift.crews must lead to at most 3 objects.")
    #expect(other?.objectIDs == [shifts[1].objectID])
    last.delete()
    for shift in crew.shifts { crew.shifts.remove(shift) }
    #expect(cauldronError { try context.save() }?.code == .validationTooFew)
    #expect(try Crew.count(in: bench.committed()) == 3)
  }
}

extension SaveOutcome {
  fileprivate var ignored: Void {}
}
