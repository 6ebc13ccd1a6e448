import { BrowserFailure } from './browser-failure.ts'

const why = 'The connection was lost, or the service was upgraded in the meantime.'
const ofPage = { what: 'This page could not be loaded.', next: why }
const ofPart = { what: 'A part of this page could not be loaded.', next: `${why} Reload the page.` }

/**
 * The code of a page did not load: the connection was lost, or an upgrade removed the file. Browsers cache the failed import until the
 * document is reloaded.
 */
export class PageNotLoaded extends BrowserFailure {
  constructor(cause: unknown, isPart = false) {
    super(isPart ? ofPart : ofPage, cause)
  }
}

/** Code that a part of a page loads when it is used. Throws `PageNotLoaded`. */
export async function loadPart<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    throw new PageNotLoaded(error, true)
  }
}
