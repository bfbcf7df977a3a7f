/// All faults that there are.
enum FaultList {
  /// Every place of every workload, without the number of a call.
  static var places: [Fault] {
    Workload.allCases.flatMap { workload in
      let files = FileMethod.allCases.flatMap { method in
        method.codes.map { Fault(workload, .file(method, $0), 0, .once) }
      }
      // The hooks know nothing of how a store is opened.
      let stores = StoreMethod.allCases.flatMap { method in
        method.moments.map { Fault(workload, .store(method, $0), 0, .once) }
      }
      return files + (workload.opens ? [] : stores)
    }
  }

  /// What can fail in a place that is called so often.
  static func faults(at place: Fault, calls: Int) -> [Fault] {
    guard calls > 0 else { return [] }
    return (1...calls).flatMap { call in
      Fault.Duration.allCases.map { Fault(place.workload, place.place, call, $0) }
    }
  }
}
