import { expect, it } from 'vitest'
import { otherSpellings } from './other-spellings.ts'

const key = (ecosystem: string, name: string) => `${ecosystem}\u001f${name}`

it.each<[ecosystem: string, name: string, others: string[]]>([
  ['Go', 'github.com/BurntSushi/toml', ['github.com/burntsushi/toml']],
  ['Go', 'golang.org/x/net', []],
  ['crates.io', 'tokio-util', ['tokio_util']],
  ['crates.io', 'Some_crate-x', ['some_crate-x', 'some_crate_x', 'some-crate-x']],
  ['crates.io', 'time', []],
  ['npm', 'JSONStream', []],
  ['Maven', 'org.Foo:bar_baz', []],
])('%s %s', (ecosystem, name, others) => {
  expect(otherSpellings(key(ecosystem, name))).toEqual(others.map((other) => key(ecosystem, other)))
})
