import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Counts of what several save at once: a project has one to three helpers.
@Suite(.againstHanging) struct CountAtCommitTests {
  private func project(_ bench: Bench, helpers: Int = 1) throws -> ManagedObjectID {
    let writer = bench.child("Writer")
    let id = Workshop.project(tasks: 2, helpers: helpers, in: writer).objectID
    try writer.saveAndWait(toPersistentStore: true)
    return id
  }

  private func add(_ count: Int, _ id: ManagedObjectID, _ context: ManagedObjectContext) {
    context.performAndWait { context in
      let project = try? Project.find(id, in: context)
      for _ in 0..<count { Helper.create(in: context).project = project }
    }
  }

  private func sibling(_ name: String, _ bench: Bench) -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: bench.stack.coordinator, name: name)
  }

  /// Has something done once, when a context is about to be written.
  private func onSaving(_ name: String, _ bench: Bench, _ body: @escaping @Sendable () -> Void) {
    let isDone = Locked(false)
    bench.log.onLine { line in
      guard line.message.hasPrefix("→ Saving"), line.message.contains(": \(name)>"),
        !isDone.withLock({ done in
          defer { done = true }
          return done
        })
      else { return }
      body()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `two contexts on the coordinator that are right each by itself are not right together`(
    kind: StoreKind
  ) throws {
    let bench = try Workshop.bench(kind)
    let id = try project(bench)
    let (a, b) = (sibling("A", bench), sibling("B", bench))
    add(2, id, a)
    add(2, id, b)
    onSaving("A", bench) {
      do { try b.saveAndWait(toPersistentStore: true) } catch { Issue.record(error) }
    }
    let error = cauldronError { try a.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationTooMany && error?.objectIDs == [id])
    #expect(error?.message == "Project.helpers must lead to at most 3 objects.")
    #expect(error?.entity == "Project" && error?.property == "helpers")
    #expect(error?.contextName == "A")
    #expect(bench.isDirty(a) && !bench.isDirty(b))
    #expect(try Helper.count(in: bench.committed()) == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func `what reaches the root while it saves is counted with it`(kind: StoreKind) throws {
    let bench = try Workshop.bench(kind)
    let id = try project(bench)
    let (a, b) = (bench.child("A"), bench.child("B"))
    // Else it would count what is on its way.
    b.readsUncommitted = false
    add(2, id, a)
    add(2, id, b)
    onSaving("Root Saving Context", bench) {
      do { try b.performAndWait { try $0.save() } } catch { Issue.record(error) }
    }
    try a.saveAndWait(toPersistentStore: true)
    #expect(try Helper.count(in: bench.committed()) == 3)
    _ = try? bench.root.performAndWait { try $0.save() }
    #expect(try Helper.count(in: bench.committed()) == 3)
    #expect(bench.isDirty(b))
  }

  @Test func `what another program has written is counted, too`() throws {
    let bench = try Workshop.bench(.file)
    let id = try project(bench)
    let a = sibling("A", bench)
    add(2, id, a)
    onSaving("A", bench) {
      let isWritten = OtherProgram(bench).run(
        "INSERT INTO ZHELPER (Z_PK, Z_ENT, Z_OPT, ZPROJECT)"
          + " SELECT Z_PK + 9000, Z_ENT, 1, ZPROJECT FROM ZHELPER LIMIT 1")
      #expect(isWritten)
    }
    let error = cauldronError { try a.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationTooMany && error?.objectIDs == [id])
    #expect(try Helper.count(in: bench.committed()) == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `a link that is dropped because its end is gone is missed`(kind: StoreKind) throws {
    let model = try ManagedObjectModel(
      entities: [Crew._describeEntity(), Shift._describeEntity()])
    let bench = try Bench(kind, model: model)
    let writer = bench.child("Writer")
    let id = Shift.create(in: writer).objectID
    try writer.saveAndWait(toPersistentStore: true)
    let (a, b) = (sibling("A", bench), sibling("B", bench))
    a.performAndWait { context in
      guard let shift = try? Shift.find(id, in: context) else { return }
      Crew.create(in: context).shifts.insert(shift)
    }
    onSaving("A", bench) {
      b.performAndWait { try? Shift.find(id, in: $0)?.delete() }
      do { try b.saveAndWait(toPersistentStore: true) } catch { Issue.record(error) }
    }
    let error = cauldronError { try a.saveAndWait(toPersistentStore: true) }
    #expect(error?.message == "Crew.shifts must lead to at least 1 object.")
    #expect(try Crew.count(in: bench.committed()) == 0)
  }

  @Test func `children that make the same link make one`() throws {
    let model = try ManagedObjectModel(
      entities: [Crew._describeEntity(), Shift._describeEntity()])
    let bench = try Bench(.memory, model: model)
    let children = (0..<3).map { bench.child("Child \($0)", of: bench.mainContext) }
    let ids = try children[0].performAndWait { context in
      let crew = Crew.create(in: context)
      let shifts = (0..<2).map { _ in Shift.create(in: context) }
      crew.shifts.insert(shifts[0])
      try context.save()
      return [crew.objectID, shifts[1].objectID]
    }
    for child in children.dropFirst() {
      child.performAndWait { context in
        guard let shift = try? Shift.find(ids[1], in: context) else { return }
        (try? Crew.find(ids[0], in: context))?.shifts.insert(shift)
      }
    }
    for child in children.dropFirst() { try child.performAndWait { try $0.save() } }
    // A crew has two shifts at most.
    try bench.onMain { main in _ = try main.saveAndWait(toPersistentStore: true) }
    #expect(try Crew.findFirst(in: bench.committed())?.shifts.count == 2)
    #expect(children.allSatisfy { !bench.isDirty($0) })
  }

  @Test func `what stays in main makes no room for what passes through it`() async throws {
    let bench = try Workshop.bench(.file)
    let id = try project(bench, helpers: 3)
    bench.onMain { main in
      let project = try? Project.find(id, in: main)
      project?.helpers.objects[0].delete()
      project?.tasks.objects[0].priority = 9
      main.processPendingChanges()
    }
    let child = bench.child("Child", of: bench.mainContext)
    add(1, id, child)
    let error = await #expect(throws: CauldronError.self) {
      try await child.save(toPersistentStore: true)
    }
    #expect(error?.code == .validationTooMany && error?.contextName == "Default Context")
    #expect(try Helper.count(in: bench.committed()) == 3)
    #expect(bench.isDirty(child))
  }

  @Test func `what stays in main takes no room from what passes through it`() async throws {
    let bench = try Workshop.bench(.file)
    let id = try project(bench, helpers: 2)
    bench.onMain { main in
      let project = try? Project.find(id, in: main)
      project?.helpers.insert(Helper.create(in: main))
      project?.tasks.objects[0].priority = 9
      main.processPendingChanges()
    }
    let child = bench.child("Child", of: bench.mainContext)
    child.readsUncommitted = false
    add(1, id, child)
    try await child.save(toPersistentStore: true)
    #expect(try Helper.count(in: bench.committed()) == 3)
    let error = bench.onMain { main in
      for chore in (try? Project.find(id, in: main))?.tasks.objects ?? [] { chore.priority = 0 }
      return cauldronError { try main.save() }
    }
    #expect(error?.code == .validationTooMany)
  }
}
