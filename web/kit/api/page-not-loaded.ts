import { BrowserFailure } from './browser-failure.ts'

const words = {
  what: 'This page could not be loaded.',
  next: 'The connection was lost, or the service was upgraded in the meantime.',
}

/**
 * The code of a page did not load: the connection was lost, or an upgrade removed the file. Browsers cache the failed import until the
 * document is reloaded.
 */
export class PageNotLoaded extends BrowserFailure {
  constructor(cause: unknown) {
    super(words, cause)
  }
}
