// An operation that imports in the background, once beside the main context, which merges what was
// saved, and once in a child of the main context. Both end with the same list.
//
//   swift run ImportOperation

import Dispatch
import Foundation

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 1
for way in ImportOperation.Way.allCases { queue.addOperation { run(way) } }
queue.addOperation { exit(0) }
dispatchMain()
