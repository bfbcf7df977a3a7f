// swift-tools-version: 6.2

import PackageDescription

// A package of its own, as yours is: the plugin makes classes of the model in the target's folder.
let package = Package(
  name: "FromXcode",
  dependencies: [.package(name: "Cauldron", path: "../..")],
  targets: [
    .executableTarget(
      name: "Notebook",
      dependencies: [.product(name: "Cauldron", package: "Cauldron")],
      exclude: ["Notes.xcdatamodeld"],
      plugins: [.plugin(name: "CauldronModelPlugin", package: "Cauldron")])
  ],
  swiftLanguageModes: [.v6])
