import CCauldron
import CauldronModel
import Foundation

/// A file that code was loaded from, with addresses of it.
struct LoadedImage {
  let path: String
  /// Where it was loaded to.
  let base: UInt
  var addresses: [UInt] = []

  /// The files of addresses; none for those that belong to none.
  static func images(of addresses: [UInt]) -> [LoadedImage] {
    var images: [UInt: LoadedImage] = [:]
    for address in addresses {
      var name: UnsafePointer<CChar>?
      var base: UInt = 0
      guard cauldron_image(address, &name, &base), let name else { continue }
      images[base, default: LoadedImage(path: String(cString: name), base: base)]
        .addresses.append(address)
    }
    return Array(images.values)
  }

  /// The linker's names of the functions that have the addresses, as far as the file has names.
  /// - Complexity: O(symbols of the file) for the first time.
  func names() -> [UInt: String] {
    guard let symbols else { return [:] }
    // The address after a call may belong to the next function already.
    let bias = (symbols.isRelocated ? base : 0) &+ 1
    let names = symbols.names(of: addresses.map { $0 &- bias })
    return [UInt: String](uniqueKeysWithValues: names.map { ($0 &+ bias, $1) })
  }

  private var symbols: ELFSymbols? {
    if let known = Self.known.withLock({ $0[base] }) { return known }
    let symbols = ELFSymbols(contentsOf: file)
    Self.known.withLock { $0[base] = .some(symbols) }
    return symbols
  }

  /// The symbols of the files that were asked for, by where they were loaded to.
  private static let known = Locked<[UInt: ELFSymbols?]>([:])

  /// The main program calls itself what it was called by, which may lead nowhere by now.
  private var file: URL {
    let (own, file) = (URL(fileURLWithPath: "/proc/self/exe"), URL(fileURLWithPath: path))
    let name = own.resolvingSymlinksInPath().lastPathComponent
    // A program whose file was replaced meanwhile still has its own.
    let names = [file.lastPathComponent, "\(file.lastPathComponent) (deleted)"]
    return names.contains(name) ? own : file
  }
}
