// A program in the manner of MagicalRecord, ported call by call: above each call stands the old one.
//
// It could have been built with the old calls first: CauldronMagicalRecord has them, by Swift's names.
//
//   swift run PortedApp              keeps its store in the user's data folder
//   swift run PortedApp --memory     keeps nothing

import Cauldron
import Dispatch
import Foundation

do {
  try setUp(inMemory: CommandLine.arguments.contains("--memory"))
  try fill()
  try find()
  try request()
  try count()
  try useContexts()
  try delete()
  try importRecords()
  saveInBackground()
} catch {
  print(error)
  exit(1)
}
dispatchMain()
