import Cauldron
import CauldronModel
import TestSupport
import Testing

/// What Apple's framework was seen to do, as the list of acceptance has it under 29; what it says of
/// delete rules is with those.
@Suite(.againstHanging) struct ValidationAcceptanceTests {
  @Test func `acceptance 29: numbers, keys, objects and sentences are Core Data's`() throws {
    let context = try Workshop.bench().child()
    let project = Workshop.project(tasks: 2, in: context)
    let chore = project.tasks.objects[0]
    try context.save()

    chore.project = nil
    Workshop.project(in: context).tasks = [project.tasks.objects[0], Chore.create(in: context)]
    let missing = cauldronError { try context.save() }
    #expect(missing?.code.coreDataCode == 1570 && missing?.property == "project")
    #expect(missing?.objectIDs == [chore.objectID])
    context.rollback()

    chore.count = 1
    let checked = cauldronError { try context.save() }
    #expect(checked?.code.coreDataCode == 1550 && checked?.objectIDs == [chore.objectID])
    #expect(checked?.message == "Chore.count must be even.")

    for _ in 0..<3 { project.tasks.insert(Chore.create(in: context)) }
    let several = cauldronError { try context.save() }
    #expect(several?.code.coreDataCode == 1560)
    #expect(several?.details.map(\.code.coreDataCode) == [1550, 1590])
    #expect(several?.details.map(\.objectIDs) == [[chore.objectID], [project.objectID]])
  }
}
