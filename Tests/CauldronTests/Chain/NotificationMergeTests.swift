import Cauldron
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct NotificationMergeTests {
  @Test(arguments: [
    ManagedObjectContext.didSaveObjectsNotification,
    ManagedObjectContext.didSaveObjectIDsNotification,
  ])
  func `a context takes in a save by its notification`(_ name: Notification.Name) throws {
    let bench = try Bench()
    let (reader, writer) = (bench.child("Reader"), bench.child("Writer"))
    let id = Person.named("old", in: writer).objectID
    try writer.save()
    let person = try #require(try Person.find(id, in: reader))
    #expect(person.name == "old")
    let observer = NotificationCenter.default.addObserver(
      forName: name, object: writer, queue: nil
    ) { reader.mergeChanges(fromContextDidSave: $0) }
    defer { NotificationCenter.default.removeObserver(observer) }
    try Person.find(id, in: writer)?.name = "new"
    try writer.save()
    #expect(person.name == "new")
  }

  @Test func `a notification of something else is ignored`() throws {
    let bench = try Bench()
    let (reader, writer) = (bench.child("Reader"), bench.child("Writer"))
    let id = Person.named("old", in: writer).objectID
    try writer.save()
    let person = try #require(try Person.find(id, in: reader))
    #expect(person.name == "old")
    reader.mergeChanges(
      fromContextDidSave: Notification(
        name: ManagedObjectContext.didSaveObjectsNotification, object: writer,
        userInfo: ["updated": Set([id])]))
    reader.mergeChanges(fromContextDidSave: Notification(name: .init("other")))
    #expect(person.name == "old" && !reader.hasChanges)
  }
}
