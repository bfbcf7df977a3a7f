import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph

struct CallSiteTests {
  @inline(never)
  static func outermost(_ take: () -> CallStack) -> CallStack { take() }

  @Test func `who asks is found by name`() throws {
    let stack = Self.outermost { CallStack.current() }
    #expect(stack.addresses.count > 3)
    #expect(try #require(stack.asking).contains("CallSiteTests"))
  }

  @Test func `stacks are taken safely while others load and unload memory`() {
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      for round in 0..<200 {
        if worker % 2 == 0 {
          let size = 1 << 16
          let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
          munmap(memory, size)
        } else {
          let stack = CallStack.current(limit: 1 + round % 64)
          #expect(stack.addresses.count <= 1 + round % 64)
        }
      }
    }
  }

  @Test func `what is no ELF file, or a damaged one, has no names`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("file")
    #expect(ELFSymbols(contentsOf: file) == nil)
    let program = try Data(
      contentsOf: URL(fileURLWithPath: "/proc/self/exe"), options: .alwaysMapped)
    var random = SeededGenerator(seed: 5)
    for length in [0, 3, 20, 64, 4_096] {
      for _ in 0..<40 {
        var bytes = program.prefix(length)
        for _ in 0..<4 where length > 20 {
          bytes[Int.random(in: 16..<min(64, length), using: &random)] = .random(
            in: 0...255, using: &random)
        }
        try bytes.write(to: file)
        _ = ELFSymbols(contentsOf: file)?.names(of: [0, 4_096, .max])
      }
    }
  }

  @Test func `a table of names beyond all addresses is none`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    var bytes = Data([0x7F, 0x45, 0x4C, 0x46, 2, 1]) + Data(count: 250)
    // One section header follows the file's own, and has names where all symbols are said to have them.
    bytes[40] = 64
    bytes[60] = 2
    bytes[64 + 4] = 2
    bytes[64 + 40] = 1
    for place in 24..<40 { bytes[128 + place] = 0xFF }
    try bytes.write(to: file)
    #expect(ELFSymbols(contentsOf: file) == nil)
  }
}
