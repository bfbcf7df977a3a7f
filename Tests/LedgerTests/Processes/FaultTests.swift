import TestSupport
import Testing

@Suite(.enabled(if: SoakProgram.isUsable, SoakProgram.skip)) struct FaultTests {
  @Test func `a commit that could not be synchronised is not there after a kill, either`()
    async throws
  {
    let outcome = try await SoakProgram.run(["faults", "--only", "chain/xSync/IOERR_FSYNC/3/once"])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("faults: 1 injected"), "\(outcome.output)")
  }
}
