import TestSupport
import Testing

@Suite(.enabled(if: SoakProgram.isUsable, SoakProgram.skip)) struct FaultTests {
  @Test func `a commit that could not be synchronised is not there after a kill, either`()
    async throws
  {
    try await inject("chain/xSync/IOERR_FSYNC/3/once")
  }

  @Test func `a store that could not be closed is closed by another call`() async throws {
    try await inject("close/close/before/1/ever")
  }

  private func inject(_ recipe: String) async throws {
    let outcome = try await SoakProgram.run(["faults", "--only", recipe])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("faults: 1 injected"), "\(outcome.output)")
  }
}
