import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeContent } from './refused-data.ts'

it.each<[string, Uint8Array]>([
  ['nothing', Buffer.alloc(0)],
  ['nothing', Buffer.from('\ufeff \n')],
  ['an HTML page', Buffer.from('<!doctype html><title>Sign in')],
  ['an XML document', Buffer.from('<?xml version="1.0"?>')],
  ['a gzip file', gzipSync('{}')],
  ['a gzip file', Buffer.from(gzipSync('{}').toString('utf8'))],
  ['a zip file', Buffer.from('PK\u0003\u0004\u0014\0')],
  ['a zip file', Buffer.from('PK\u0005\u0006\0\0')],
  ['a bzip2 file', Buffer.from('BZh91AY&SY')],
  ['binary data', Buffer.from('\u007fELF\u0002\0\0')],
  ['content beginning "{"a":"?"}"', Buffer.from('{"a":"\xff"}', 'latin1')],
])('is said to be %s', (words, content) => {
  expect(describeContent(content)).toBe(words)
})
