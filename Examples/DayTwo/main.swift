// Day two: the classes change, and the data come along. The first version of a program writes 10,000
// people; the second one brings them over, with a forecast before, and finds all of them; then the first
// one meets a store that is none of its own any more.
//
//   swift run DayTwo             both versions, as processes of their own, on a new store
//   swift run DayTwo v1 STORE    the first version
//   swift run DayTwo v2 STORE    the second version

import Foundation

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  switch (arguments.first, arguments.count) {
  case ("v1", 2): try FirstVersion.run(URL(filePath: arguments[1]))
  case ("v2", 2): try await SecondVersion.run(URL(filePath: arguments[1]))
  case (nil, _): try Days.run()
  default:
    print("usage: DayTwo [v1 STORE | v2 STORE]")
    exit(2)
  }
} catch {
  print(error)
  exit(1)
}
