// Inserts and fetches rows on the four stacks that people compare, as they are and under a live list,
// and tells how long it takes and how much of it the main thread feels.
//
//   swift run -c release StackComparison [--quick]      --quick takes small numbers of rows

import Foundation

Thread.detachNewThread {
  let isQuick = CommandLine.arguments.contains("--quick")
  let counts = isQuick ? [100, 1_000] : [100, 1_000, 10_000, 100_000]
  let comparison = Comparison(
    inserts: counts, fetches: isQuick ? counts : counts + [19_766, 119_766, 740_300],
    lists: isQuick ? counts : [19_766, 119_766, 740_300], rounds: isQuick ? 1 : 3)
  do {
    try comparison.run()
    exit(0)
  } catch {
    print(error)
    exit(1)
  }
}
// The main thread works off the main queue.
while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
