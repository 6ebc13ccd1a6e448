import { expect, it } from 'vitest'
import { explainFullDisk, lastWords } from './full-disk.ts'

it.each([
  'FATAL:  could not write to file "pg_wal/xlogtemp.18663": No space left on device',
  'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10\nHINT:  Check free disk space.',
  'FATAL:  could not write to file "pg_wal/xlogtemp.1": Disk quota exceeded',
])('a full disk is said first: %s', (line) => {
  expect(explainFullDisk('/data', `The server did not start: ${line}`)).toBe(
    `The disk of /data is full: make room, and start again. The server did not start: ${line}`,
  )
})

it('anything else stays as it is', () => {
  expect(explainFullDisk('/data', 'FATAL:  could not open file "x": Permission denied')).toBe(
    'FATAL:  could not open file "x": Permission denied',
  )
})

it('the end of a log has the reason, however many sessions were refused', () => {
  const refused =
    '2026-11-29 21:14:26.987 UTC [8546] FATAL:  the database system is not yet accepting connections'
  const reason = 'FATAL:  could not write to file "pg_wal/xlogtemp.8543": No space left on device'
  const log = ['LOG:  starting PostgreSQL', ...Array<string>(900).fill(refused), reason, refused, ''].join(
    '\n',
  )
  expect(lastWords(log)).toBe(`LOG:  starting PostgreSQL\n${reason}`)
  expect(lastWords(`${'x'.repeat(10_000)}\n${reason}`)).toHaveLength(4000)
  expect(lastWords(`${'x'.repeat(10_000)}\n${reason}`)).toContain(reason)
})
