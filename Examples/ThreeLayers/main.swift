// Three layers: a background context, the main context, and a private root on the store.
// An employee is created in the background; the program tells which context knows it when.
//
//   swift run ThreeLayers

import Cauldron
import Dispatch
import Foundation
import Logging

var configuration = StackConfiguration()
configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
let stack = try setupStack(storeURL: nil, configuration: configuration)

DispatchQueue.global().async {
  do {
    try hire(stack)
    exit(0)
  } catch {
    print(error)
    exit(1)
  }
}
dispatchMain()
