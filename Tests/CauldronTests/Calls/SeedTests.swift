import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// Stores that begin as the copy of one that the program brings along.
@Suite(.againstHanging) struct SeedTests {
  private let directory: TemporaryDirectory
  private var seed: URL { directory.file("seed.sqlite") }
  private var store: URL { directory.file("store.sqlite") }

  init() throws {
    directory = try TemporaryDirectory()
    let stack = try Self.stack(directory.file("seed.sqlite"))
    try stack.saveAndWait { Person.named("jack", in: $0.context) }
    try stack.close()
  }

  private static func stack(
    _ url: URL?, seed: URL? = nil, _ adapt: (inout StackConfiguration) -> Void = { _ in }
  ) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.seedURL = seed
    configuration.logger = LogCapture().logger
    adapt(&configuration)
    return try Stack(storeURL: url, model: Office.model(), configuration: configuration)
  }

  private func names(_ stack: Stack) throws -> [String] {
    try stack.saveAndWait { try Person.names(in: $0.context) }
  }

  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }
  }

  @Test func `a store that is not there begins as a copy, and the seed stays as it is`() throws {
    let before = try Data(contentsOf: seed)
    let stack = try Self.stack(store, seed: seed)
    #expect(try names(stack) == ["jack"])
    try stack.saveAndWait { Person.named("jill", in: $0.context) }
    try stack.close()
    #expect(try Data(contentsOf: seed) == before)
    #expect(try files.filter { !$0.hasPrefix("store.sqlite") } == ["seed.sqlite"])
  }

  @Test func `a store that is there is left as it is`() throws {
    let first = try Self.stack(store, seed: seed)
    try first.saveAndWait { Person.named("jill", in: $0.context) }
    try first.close()
    let second = try Self.stack(store, seed: seed)
    #expect(try names(second) == ["jack", "jill"])
    try second.close()
  }

  @Test func `what is still in the log of the seed is copied, too`() throws {
    let writer = try Self.stack(seed)
    try writer.saveAndWait { Person.named("late", in: $0.context) }
    let stack = try Self.stack(store, seed: seed)
    #expect(try names(stack) == ["jack", "late"])
    try stack.close()
    try writer.close()
  }

  @Test func `of many who open at once one has the store, and it is whole`() throws {
    let (seed, store) = (seed, store)
    let opened = Locked<[Result<Stack, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let result = Result { try Self.stack(store, seed: seed) }
      opened.withLock { $0.append(result) }
    }
    let stacks = opened.withLock { $0.compactMap { try? $0.get() } }
    try #require(stacks.count == 1)
    #expect(try names(stacks[0]) == ["jack"])
    #expect(try files.allSatisfy { $0.hasPrefix("store.sqlite") || $0.hasPrefix("seed.sqlite") })
    let codes = opened.withLock { $0.compactMap(\.failure?.code) }
    #expect(codes == Array(repeating: .storeAlreadyOpen, count: 7))
    try stacks[0].close()
  }

  @Test func `a seed that is missing or no store makes nothing, and is named`() throws {
    let missing = directory.file("missing.sqlite")
    let error = cauldronError { _ = try Self.stack(store, seed: missing) }
    #expect(error?.code == .storeCannotOpen)
    #expect(error?.path == missing.path)
    let garbage = directory.file("garbage")
    try Data(repeating: 7, count: 5_000).write(to: garbage)
    #expect(cauldronError { _ = try Self.stack(store, seed: garbage) }?.code == .storeNotADatabase)
    #expect(try files == ["garbage", "seed.sqlite"])
  }

  @Test func `a log without its store is not taken for the copy's`() throws {
    try Data(repeating: 1, count: 100).write(to: directory.file("store.sqlite-wal"))
    let error = cauldronError { _ = try Self.stack(store, seed: seed) }
    #expect(error?.code == .storeCannotOpen)
    #expect(error?.message.contains("a log of one lies beside it") == true)
    #expect(try !files.contains("store.sqlite"))
  }

  @Test func `a stack that only reads, or is in memory, copies nothing`() throws {
    let reading = cauldronError { _ = try Self.stack(store, seed: seed) { $0.readOnly = true } }
    #expect(reading?.code == .storeCannotOpen)
    #expect(cauldronError { _ = try Self.stack(nil, seed: seed) }?.code == .storeUnsupported)
    #expect(try files == ["seed.sqlite"])
    let stack = try Self.stack(seed) { $0.readOnly = true }
    #expect(try names(stack) == ["jack"])
    try stack.close()
  }
}

extension Result where Failure == any Error {
  fileprivate var failure: CauldronError? {
    if case .failure(let error) = self { error as? CauldronError } else { nil }
  }
}
