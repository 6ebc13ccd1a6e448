import type { Locator, Page } from 'playwright-core'

export const tableNamed = (page: Page, name: string): Locator => page.getByRole('table', { name })

/** The row, of a table or of the page, that says this. */
export const rowWith = (within: Locator | Page, words: RegExp): Locator =>
  within.getByRole('row', { name: words })

/** A row by its place; the first below the headings is 1. */
export const rowAt = (table: Locator, place: number): Locator => table.getByRole('row').nth(place)

/** All of them, and the headings. */
export const rowsAndHeadings = (table: Locator): Locator => table.getByRole('row')
