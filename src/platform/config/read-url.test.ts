import { expect, it } from 'vitest'
import { readReadUrl } from './database-url.ts'

const primary = 'postgresql://monitor:s3cret@primary/monitor'

const read = (url: string, databaseUrl: string | null = primary) => {
  const mistakes: string[] = []
  return { url: readReadUrl({ DATABASE_READ_URL: url }, databaseUrl, mistakes), mistakes: mistakes.join() }
}

it('names a standby of an external database', () => {
  const url = 'postgresql://monitor:s3cret@standby/monitor'
  expect(read(url)).toEqual({ url, mistakes: '' })
  expect(read('')).toEqual({ url: null, mistakes: '' })
})

it.each([
  ['standby', primary, 'DATABASE_READ_URL: expected an address'],
  ['postgresql://standby/monitor', null, 'DATABASE_READ_URL: has no meaning without DATABASE_URL'],
  [
    'postgresql://a,b/monitor?target_session_attrs=read-write',
    primary,
    'DATABASE_READ_URL: target_session_attrs looks for the server that takes writes',
  ],
])('%s beside %s is refused in words', (url, databaseUrl, words) => {
  const { mistakes } = read(url, databaseUrl)
  expect(mistakes).toContain(words)
  expect(mistakes).not.toContain('s3cret')
})
