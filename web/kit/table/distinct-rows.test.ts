import { describe, expect, it } from 'vitest'
import { distinctRows } from './distinct-rows.ts'

const row = (id: string, affected: number) => ({ id, affected })
const rowId = ({ id }: { id: string }) => id

describe('a row that is on two pages of a list', () => {
  it('is shown once, at its first place', () => {
    const pages = [row('CVE-1', 9), row('CVE-2', 8), row('CVE-1', 7), row('CVE-3', 6)]
    expect(distinctRows(pages, rowId)).toEqual([row('CVE-1', 9), row('CVE-2', 8), row('CVE-3', 6)])
  })

  it('nothing read yet is not an empty list', () => {
    expect(distinctRows(undefined, rowId)).toBeUndefined()
  })
})
