import { describe, expect, it } from 'vitest'
import { RefusedData } from './refused-data.ts'
import { attributeOf, childText, elementsBelow, xmlElements, type XmlElement } from './xml-elements.ts'

const wanted = { root: 'list', element: 'entry', title: 'a list' }

/** Reads a document that comes in pieces of this size. */
async function read(text: string | Buffer, size = 7): Promise<XmlElement[]> {
  const bytes = Buffer.from(text)
  // oxlint-disable-next-line typescript/require-await -- as a file that is read
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const found: XmlElement[] = []
  for await (const element of xmlElements(pieces(), wanted)) found.push(element)
  return found
}

const refusal = (text: string | Buffer, size?: number) =>
  read(text, size).then(
    () => 'taken over',
    (error: unknown) => (error instanceof RefusedData ? error.message : error),
  )

describe('elements of an XML document', () => {
  it('come one by one, whatever is around them', async () => {
    const [first, second, ...others] = await read(
      '<?xml version="1.0"?>\n<list xmlns="urn:x" xmlns:o="urn:y"><!-- <entry/> --><o:about>é</o:about><entry id="1"><o:name>A &amp; B</o:name><![CDATA[<raw>]]></entry><in><entry id="2"><deep><name>x</name></deep></entry></in></list>',
      3,
    )
    expect(others).toEqual([])
    expect(
      first === undefined ? null : [attributeOf(first, 'id'), childText(first, 'name'), first.text],
    ).toEqual(['1', 'A & B', '<raw>'])
    expect(second === undefined ? null : [...elementsBelow(second, 'name')].map(({ text }) => text)).toEqual([
      'x',
    ])
  })

  it('may be missing', async () => {
    expect(await read('<list/>')).toEqual([])
  })

  it.each<[what: string, text: string | Buffer, says: RegExp]>([
    ['nothing', '', /found nothing/],
    ['a page', '<!DOCTYPE html><html><body>no</body></html>', /found an HTML page/],
    ['JSON', '{"list":[]}', /found content beginning/],
    ['another root', '<entries/>', /found an XML document of the kind "entries"/],
    ['two roots', '<list/><list/>', /expected a list, found/],
    ['a document that is cut off', '<list><entry id="1">', /cut off/],
    ['a document that is cut off in a tag', '<list><entry id="', /cut off/],
    ['mixed-up tags', '<list><entry></list></entry>', /found a mistake/],
    ['a text behind the root', '<list/>more', /found a mistake/],
    ['an entity that nobody knows', '<list><entry>&lol;</entry></list>', /found a mistake/],
    [
      'entities that multiply',
      '<?xml version="1.0"?><!DOCTYPE list [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><list><entry>&b;</entry></list>',
      /document type/,
    ],
    [
      'an entity of a file',
      '<!DOCTYPE list [<!ENTITY f SYSTEM "file:///etc/passwd">]><list><entry>&f;</entry></list>',
      /document type/,
    ],
    ['what is no UTF-8', Buffer.from([...Buffer.from('<list><entry>'), 0xff, 0xfe]), /UTF-8/],
    ['elements too deep', `<list>${'<entry>'.repeat(60)}`, /more than 40 deep/],
    ['an attribute without end', `<list><entry id="${'a'.repeat(200_000)}`, /found a mistake|cut off/],
  ])('%s is refused', async (_, text, says) => {
    expect(await refusal(text, 1_000)).toMatch(says)
  })

  it('too large for one are refused', async () => {
    const text = `<list><entry>${'x'.repeat(34 * 1024 ** 2)}</entry></list>`
    expect(await refusal(text, 1024 ** 2)).toMatch(/characters in one element/)
    const children = `<list><entry>${'<a/>'.repeat(500_001)}</entry></list>`
    expect(await refusal(children, 1024 ** 2)).toMatch(/elements in one/)
  })
})
