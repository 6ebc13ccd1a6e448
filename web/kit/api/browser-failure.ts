type Words = {
  /** What happened, for people. */
  what: string
  next: string
}

/** A failure of the browser, not an answer of the service. The cause holds technical detail. */
export class BrowserFailure extends Error {
  readonly words: Words

  constructor(words: Words, cause: unknown) {
    super(words.what, { cause })
    this.name = 'BrowserFailure'
    this.words = words
  }
}
