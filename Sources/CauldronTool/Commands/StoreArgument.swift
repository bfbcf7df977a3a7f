package import ArgumentParser
import CauldronSQLite
import Foundation

/// The path of a store's file, as most commands take it.
package struct StoreArgument: ParsableArguments {
  @Argument(help: "The store's file.", completion: .file())
  package var store: String

  package init() {}

  var url: URL { URL(filePath: store) }
  var examination: StoreExamination { StoreExamination(url) }
}
