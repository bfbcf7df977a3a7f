extension Array where Element == ManagedObject {
  /// Calls `body` with each object and its position, without a retain and a release for each, which
  /// cost more than most of what is done with an object.
  @inline(__always)
  func forEachUnretained(_ body: (Int, ManagedObject) throws -> Void) rethrows {
    try withUnsafeBufferPointer { buffer in
      // An `Unmanaged` is the reference itself; the array keeps the objects all the while.
      try UnsafeRawBufferPointer(buffer).withMemoryRebound(to: Unmanaged<ManagedObject>.self) {
        for index in $0.indices {
          try $0[index]._withUnsafeGuaranteedRef { try body(index, $0) }
        }
      }
    }
  }
}
