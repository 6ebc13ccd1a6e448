/**
 * The code of a page did not arrive: the connection was lost, or an upgrade took the file away. Browsers keep the failure of an
 * import until the document is loaded again.
 */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The code of the page could not be loaded.', { cause })
    this.name = 'PageNotLoaded'
  }
}
