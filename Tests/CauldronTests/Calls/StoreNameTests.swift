import Cauldron
import Foundation
import TestSupport
import Testing

/// Stacks by the name of their store; whoever sets up the default one does it in another process.
@Suite(.againstHanging) struct StoreNameTests {
  private let home = URL(filePath: "/home/jack", directoryHint: .isDirectory)

  @Test func `MR_urlForStoreName: gives a place in the data folder of the user`() throws {
    let folder = DataFolder(environment: [:], home: home)
    let url = try folder.storeURL(named: "people", program: "Contacts")
    #expect(url.path == "/home/jack/.local/share/Contacts/people.sqlite")
    let other = try folder.storeURL(named: "people.db", program: "Contacts")
    #expect(other.path == "/home/jack/.local/share/Contacts/people.db")
  }

  @Test(arguments: [
    ("/data", "/data"), ("data", "/home/jack/.local/share"), ("", "/home/jack/.local/share"),
  ])
  func `the data folder is what XDG_DATA_HOME says, if that is absolute`(
    _ value: String, _ expected: String
  ) throws {
    let folder = DataFolder(environment: ["XDG_DATA_HOME": value], home: home)
    let url = try folder.storeURL(named: "a", program: "b")
    #expect(url.path == "\(expected)/b/a.sqlite")
  }

  @Test(arguments: ["", ".", "..", "a/b", "../people", "a\0b"])
  func `a name that is a path is refused`(_ name: String) throws {
    let error = cauldronError { _ = try Stack.storeURL(named: name) }
    #expect(error?.code == .storeCannotOpen)
    #expect(error?.hint.contains("setupStack(storeURL:)") == true)
    #expect(cauldronError { _ = try Stack.storeURL(program: name) }?.code == .storeCannotOpen)
  }

  @Test func `defaultStoreName is the program's, and MR_defaultLocalStoreUrl agrees with it`()
    throws
  {
    #expect(Stack.defaultStoreName == "\(ProcessInfo.processInfo.processName).sqlite")
    #expect(try Stack.storeURL().lastPathComponent == Stack.defaultStoreName)
  }

  @Test func `setupCoreDataStackWithStoreNamed: makes the folder, for its user alone`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      setenv("XDG_DATA_HOME", directory.url.path, 1)
      try setupStack(storeNamed: "people", model: Office.model())
      let url = try #require(Stack.default.coordinator.storeURL)
      #expect(url == (try Stack.storeURL(named: "people")))
      #expect(url.path.hasPrefix(directory.url.path))
      let folder = url.deletingLastPathComponent().path
      let rights = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
      #expect((rights as? NSNumber)?.intValue == 0o700)
      try await Stack.default.save { _ = Person.named("jack", in: $0.context) }
      try Stack.cleanUp()
      try setupAutoMigratingStack(storeNamed: "people.sqlite", model: Office.model())
      let names = try await Stack.default.save { try Person.names(in: $0.context) }
      #expect(names == ["jack"])
      try Stack.cleanUp()
    }
  }

  @Test func `setupCoreDataStack and setupAutoMigratingCoreDataStack open the program's own store`()
    async
  {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      setenv("XDG_DATA_HOME", directory.url.path, 1)
      let url = try setupStack(model: Office.model()).coordinator.storeURL
      #expect(url?.lastPathComponent == Stack.defaultStoreName)
      #expect(url.map { FileManager.default.fileExists(atPath: $0.path) } == true)
      try Stack.cleanUp()
      #expect(try setupAutoMigratingStack(model: Office.model()).coordinator.storeURL == url)
      try Stack.cleanUp()
    }
  }

  @Test func `a store by name that is only read is not made`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      setenv("XDG_DATA_HOME", directory.file("none").path, 1)
      var configuration = StackConfiguration()
      configuration.readOnly = true
      #expect(throws: CauldronError.self) {
        try setupStack(storeNamed: "people", model: Office.model(), configuration: configuration)
      }
      #expect(!FileManager.default.fileExists(atPath: directory.file("none").path))
    }
  }

  @Test func `setupCoreDataStackWithInMemoryStore leaves no file, and cleanUp ends it`() async {
    await #expect(processExitsWith: .success) {
      let stack = try setupStackInMemory(model: Office.model())
      #expect(Stack.default === stack)
      #expect(stack.coordinator.storeURL == nil)
      #expect(throws: CauldronError.self) { try setupStackInMemory(model: Office.model()) }
      try Stack.cleanUp()
      #expect(!Stack.isSetUp)
      try setupStackInMemory(model: Office.model())
      try Stack.cleanUp()
    }
  }

  @Test func `MR_coordinatorWithInMemoryStore: stacks in memory have nothing in common`() throws {
    let stacks = try (0..<2).map { _ in try Stack.inMemory(model: Office.model()) }
    try stacks[0].saveAndWait { Person.named("jack", in: $0.context) }
    #expect(try stacks[0].saveAndWait { try Person.count(in: $0) } == 1)
    #expect(try stacks[1].saveAndWait { try Person.count(in: $0) } == 0)
  }
}
