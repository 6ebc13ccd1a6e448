import { BrowserFailure } from './browser-failure.ts'

const words = {
  what: 'This page could not be loaded.',
  next: 'The connection was lost, or the service was upgraded in the meantime.',
}

/**
 * The code of a page did not arrive: the connection was lost, or an upgrade took the file away. Browsers keep the failure of an
 * import until the document is loaded again.
 */
export class PageNotLoaded extends BrowserFailure {
  constructor(cause: unknown) {
    super(words, cause)
  }
}
