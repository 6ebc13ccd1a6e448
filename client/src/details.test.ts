import { expect, it } from 'vitest'
import { detailHeaders, type Details } from './details.ts'

const names = ['productVersion', 'source', 'commit', 'branch', 'repository', 'runUrl'] as const
const none: Details = {
  productVersion: null,
  source: null,
  commit: null,
  branch: null,
  repository: null,
  runUrl: null,
}

const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8')

it.each<[Partial<Details>, Record<string, string>]>([
  [{}, {}],
  [{ productVersion: '  ' }, {}],
  [
    { productVersion: '2.4.1', source: 'api' },
    { 'X-Service-Version': '2.4.1', 'X-Service-Source': 'api' },
  ],
  [{ commit: 'x'.repeat(90) }, { 'X-Service-Commit': 'x'.repeat(80) }],
  [{ productVersion: '😀'.repeat(120) }, { 'X-Service-Version': '😀'.repeat(100) }],
  [{ branch: 'a\r\nX-Evil: 1' }, { 'X-Service-Branch': 'a  X-Evil: 1' }],
  [{ branch: 'grün' }, { 'X-Service-Branch': 'grün' }],
  [{ runUrl: 'https://ci.example/1' }, { 'X-Service-Run-Url': 'https://ci.example/1' }],
  [{ runUrl: 'javascript:alert(1)' }, {}],
  [{ runUrl: `https://ci.example/${'x'.repeat(2000)}` }, {}],
])('%j', (given, expected) => {
  const headers = detailHeaders({ ...none, ...given }, names)
  expect(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, utf8(value)]))).toEqual(
    expected,
  )
  expect(() => new Headers(headers)).not.toThrow()
})
