// error: 'async' call in a function that does not support concurrency
import Cauldron

try Stack.default.save { context in Person.create(in: context).name = "jill" }
