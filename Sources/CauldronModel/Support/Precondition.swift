/// Stops the program for a mistake of the programmer, with one fixed sentence.
///
/// What the world does wrong is thrown instead; see ``CauldronError``.
package func trap(_ sentence: String, file: StaticString = #file, line: UInt = #line) -> Never {
  preconditionFailure(sentence, file: file, line: line)
}
