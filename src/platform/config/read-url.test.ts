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
  const several = 'postgresql://a:1,b:2/monitor?target_session_attrs=any&sslmode=require'
  expect(read(several)).toEqual({ url: several, mistakes: '' })
})

it.each([
  ['standby', primary, 'DATABASE_READ_URL: expected an address'],
  ['postgresql://standby/monitor', null, 'DATABASE_READ_URL: has no meaning without DATABASE_URL'],
  ...['read-write', 'primary', 'standby', 'prefer-standby'].map((attributes): [string, string, string] => [
    `postgresql://a,b/monitor?sslmode=require&target_session_attrs=${attributes}`,
    primary,
    'DATABASE_READ_URL: target_session_attrs: a standby is looked for here whatever it says; leave it out',
  ]),
])('%s beside %s is refused in words', (url, databaseUrl, words) => {
  const { mistakes } = read(url, databaseUrl)
  expect(mistakes).toContain(words)
  expect(mistakes).not.toContain('s3cret')
})
