import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Expected cell texts by column heading: a substring, or a pattern. */
type RowTexts = Record<string, string | RegExp>

/** Waits until a row of the table has these texts in these columns. Fails with the actual rows. */
export async function expectRow(table: Locator, texts: RowTexts): Promise<void> {
  const wanted = Object.entries(texts).map(([heading, text]) => {
    const said: unknown =
      typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
    return [heading, said] as const
  })
  await expect
    .poll(() => readRows(table, Object.keys(texts)), { timeout: 30_000 })
    .toContainEqual(Object.fromEntries(wanted))
}

async function readRows(
  table: Locator,
  headings: readonly string[],
): Promise<Record<string, string | undefined>[]> {
  const all = await table.locator('thead th').allTextContents()
  const rows = await table.locator('tbody tr').all()
  return Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('th, td').allInnerTexts()
      const said = headings.map(
        (heading) => [heading, cells[all.indexOf(heading)]?.replace(/\s+/g, ' ')] as const,
      )
      return Object.fromEntries(said)
    }),
  )
}
