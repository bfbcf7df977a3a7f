// error: 'async' call in a function that does not support concurrency
import Cauldron

private func program(_ stack: Stack) throws {
  try stack.save { context in Person.create(in: context).name = "jill" }
}
