import Cauldron
import CauldronModel
import TestSupport
import Testing

/// What a form asks before anybody saves.
@Suite(.againstHanging) struct ValidateForSaveTests {
  @Test func `an object tells what a save would say of it alone`() throws {
    let bench = try Workshop.bench()
    let context = bench.child()
    let chores = Workshop.project(tasks: 2, in: context).tasks.objects
    try chores[0].validateForSave()
    (chores[0].name, chores[0].priority, chores[1].count) = ("", 9, 1)
    let error = cauldronError { try chores[0].validateForSave() }
    #expect(error?.details.map(\.property) == ["name", "priority"])
    #expect(error?.details.allSatisfy { $0.objectIDs == [chores[0].objectID] } == true)
    #expect(error?.contextName == "Child")
    #expect(cauldronError { try chores[1].validateForSave() }?.property == "count")
    #expect(context.hasChanges && !bench.isDirty(bench.root))
    (chores[0].name, chores[0].priority, chores[1].count) = ("a", 5, 2)
    for chore in chores { try chore.validateForSave() }
    try context.save()
  }

  @Test func `a changed object is asked about what changed, in whatever steps`() throws {
    let context = try Workshop.bench().child()
    let chore = Workshop.project(tasks: 3, in: context).tasks.objects[0]
    try context.save()
    try chore.validateForSave()
    chore.project = nil
    context.processPendingChanges()
    chore.name = "x"
    let error = cauldronError { try chore.validateForSave() }
    #expect(error?.code == .validationMissing && error?.property == "project")
    context.rollback()
    try chore.validateForSave()
  }

  @Test func `the object's own relationships are counted, and no others`() throws {
    let context = try Workshop.bench().child()
    let projects = (0..<2).map { _ in Workshop.project(tasks: 2, in: context) }
    try context.save()
    for project in projects { project.tasks.objects[0].delete() }
    let error = cauldronError { try projects[0].validateForSave() }
    #expect(error?.code == .validationTooFew && error?.objectIDs == [projects[0].objectID])
    try projects[1].helpers.objects[0].validateForSave()
  }

  @Test func `the object's hooks run, again after what they change`() throws {
    let context = try Trial.bench().child()
    let (trial, other) = (Trial.create(in: context), Trial.create(in: context))
    let diary = Diary()
    other.on("insert") { _ in diary.entries.append("other") }
    trial.on("insert") { trial in
      diary.entries.append(trial.name)
      if trial.name.isEmpty { trial.name = "given" } else { throw Trial.refusal }
    }
    let error = cauldronError { try trial.validateForSave() }
    #expect(error?.message == "This trial is refused." && error?.objectIDs == [trial.objectID])
    #expect(diary.entries == ["", "given"])
    trial.on("insert") { try $0.validateForSave() }
    let nested = cauldronError { try trial.validateForSave() }
    #expect(nested?.message.contains("while validateForInsert() of Trial runs") == true)
  }

  @Test func `a denied deletion is told`() throws {
    let model = try ManagedObjectModel(
      entities: [Depot._describeEntity(), Ware._describeEntity()])
    let context = try Bench(model: model).child()
    let depot = Depot.create(in: context)
    depot.wares.insert(Ware.create(in: context))
    try context.save()
    depot.delete()
    #expect(cauldronError { try depot.validateForSave() }?.code == .validationDenied)
    depot.wares.objects[0].delete()
    try depot.validateForSave()
    try context.save()
  }
}
