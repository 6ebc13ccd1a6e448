import type { Locator, Page } from 'playwright-core'

export const tableNamed = (page: Page, name: string): Locator => page.getByRole('table', { name })

/** The row, of a table or of the page, with this text. */
export const rowWith = (within: Locator | Page, words: RegExp): Locator =>
  within.getByRole('row', { name: words })

/** A row by index; the first below the header is 1. */
export const rowAt = (table: Locator, place: number): Locator => table.getByRole('row').nth(place)

/** All of them, including the header. */
export const rowsAndHeadings = (table: Locator): Locator => table.getByRole('row')
