import { expect, it } from 'vitest'
import { parsePurl } from './purl.ts'
import { writtenPurl } from './written-purl.ts'

it.each<[purl: string, written: string]>([
  [
    'pkg:npm/%40scope/a@1.0.0+b?arch=x&distro=a%20b#sub/dir',
    'pkg:npm/%40scope/a@1.0.0+b?arch=x&distro=a%20b#sub/dir',
  ],
  ['PKG:npm/a@1', 'pkg:npm/a@1'],
  ['pkg://npm/a@1', 'pkg:npm/a@1'],
  [' pkg:npm/a@1 ', 'pkg:npm/a@1'],
  ['pkg:npm/a@^1.0.0', 'pkg:npm/a@%5E1.0.0'],
  ['pkg:npm/a@>=1 <2', 'pkg:npm/a@%3E=1%20%3C2'],
  ['pkg:npm/é@1', 'pkg:npm/%C3%A9@1'],
  ['pkg:npm/💩@1', 'pkg:npm/%F0%9F%92%A9@1'],
  ['pkg:npm/a@1?note="b"|c', 'pkg:npm/a@1?note=%22b%22%7Cc'],
  ['pkg:npm/@scope/a@1', 'pkg:npm/%40scope/a@1'],
  ['pkg:npm/@scope%2Fa@1', 'pkg:npm/%40scope%2Fa@1'],
  ['pkg:npm/a@1?x&arch=y&z=&', 'pkg:npm/a@1?arch=y'],
  ['pkg:npm/a@1?arch=y&Arch=z', 'pkg:npm/a@1?arch=y'],
  ['pkg:npm/a@1?#sub', 'pkg:npm/a@1#sub'],
  ['pkg:golang/a.b/c@v1#d#e', 'pkg:golang/a.b/c@v1#d%23e'],
])('%s is written %s, which means the same', (purl, written) => {
  expect(writtenPurl(purl)).toBe(written)
  expect(parsePurl(written)).toEqual(parsePurl(purl))
})
