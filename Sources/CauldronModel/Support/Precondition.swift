/// Stops the program for a mistake of the programmer, with one fixed sentence.
///
/// What the world does wrong is thrown instead; see ``CauldronError``.
package func trap(_ sentence: String, file: StaticString = #file, line: UInt = #line) -> Never {
  // Not `preconditionFailure`, which keeps its sentence to itself in a release build; the sentence
  // is all that tells the programmer which rule was broken, and no world's fault comes here.
  fatalError(sentence, file: file, line: line)
}
