type Words = {
  /** What happened, for people. */
  what: string
  next: string
}

/** Something that the browser did not do, and no answer of the service. The cause is its technical part. */
export class BrowserFailure extends Error {
  readonly words: Words

  constructor(words: Words, cause: unknown) {
    super(words.what, { cause })
    this.name = 'BrowserFailure'
    this.words = words
  }
}
