import GRDB

extension InsertLanes {
  func records(
    _ key: Contender, _ insert: @escaping ([ItemValues], DatabaseQueue) throws -> Void
  ) -> Lane<Contender> {
    Lane(key) {
      let url = try Scratch.file()
      defer { Scratch.remove(url) }
      let queue = try Records.open(url)
      try Records.execute(RawItems.schema, queue)
      let sample = try measure {
        for batch in batches { try insert(batch, queue) }
      }
      try queue.close()
      return sample.divided(by: repetitions)
    }
  }
}
