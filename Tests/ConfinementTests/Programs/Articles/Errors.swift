import Cauldron
import Foundation

do {
  try setupStack(storeURL: URL(filePath: "people.sqlite"))
} catch let error as CauldronError where error.code == .storeIncompatibleModel {
  print(error.message, error.hint)
}
