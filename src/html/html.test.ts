import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/support/any-character.ts'
import { checkedUrl } from './checked-url.ts'
// Under another name, so that the formatter leaves the templates as they are.
import { attributes, html as h, styleElement, type Part } from './html.ts'

const hostile = `</title><script>alert(1)</script>" onload='x' &amp;`

describe('html', () => {
  const name = 'A & <B> "c" \'d\''
  it.each<[string, { toString: () => string }, string]>([
    ['text', h`<p>${name}</p>`, '<p>A &#38; &#60;B&#62; &#34;c&#34; &#39;d&#39;</p>'],
    ['a number', h`<p>${0}</p>`, '<p>0</p>'],
    ['a value in quotes', h`<p title="a ${'"b"'} c">x</p>`, '<p title="a &#34;b&#34; c">x</p>'],
    ['a value in single quotes', h`<p title='${"'"}'>x</p>`, "<p title='&#39;'>x</p>"],
    ['safe HTML', h`<p>${h`<b>${'<'}</b>`}</p>`, '<p><b>&#60;</b></p>'],
    ['a list', h`<p>${['a', '<'].map((one) => h`<b>${one}</b>`)}</p>`, '<p><b>a</b><b>&#60;</b></p>'],
    ['a list of texts', h`<p>${['<', 1, null, [h`<br />`]]}</p>`, '<p>&#60;1<br /></p>'],
    ['parts that are not there', h`<p>${null}${undefined}${false}</p>`, '<p></p>'],
    ['text in a title', h`<title>${'</title>'}</title>`, '<title>&#60;/title&#62;</title>'],
    ['a place on the page', h`<a href="#${'a"b'}">x</a>`, '<a href="#a&#34;b">x</a>'],
    ['a path of this server', h`<a href="/app/${'x'}">x</a>`, '<a href="/app/x">x</a>'],
    [
      'a checked address',
      h`<a href="${checkedUrl('https://a.example/?b&c')}">x</a>`,
      '<a href="https://a.example/?b&#38;c">x</a>',
    ],
    [
      'attributes',
      h`<a ${attributes({ id: '"', hidden: true, title: null, lang: false })}>x</a>`,
      '<a id="&#34;" hidden>x</a>',
    ],
    [
      'a whole page',
      h`<!doctype html><!-- ok --><input disabled /><p>${1}</p>`,
      '<!doctype html><!-- ok --><input disabled /><p>1</p>',
    ],
    ['a style sheet', h`${styleElement('a > b { color: red }')}`, '<style>a > b { color: red }</style>'],
  ])('%s', (_case, made, text) => {
    expect(made.toString()).toBe(text)
  })

  it.each<[string, () => unknown]>([
    [
      'a script',
      () =>
        h`<script>
          ${hostile}
        </script>`,
    ],
    [
      'a style sheet',
      () =>
        h`<style>
          ${hostile}
        </style>`,
    ],
    ['a frame', () => h`<iframe>${hostile}</iframe>`],
    ['a comment', () => h`<!-- ${hostile} -->`],
    ['a comment that browsers end at once', () => h`<!--><script>-->${hostile}`],
    ['the name of a tag', () => h`<h${1}>x</h1>`],
    ['a whole tag', () => h`<${'b'}>x</b>`],
    ['the name of an attribute', () => h`<p data-${'x'}="1">x</p>`],
    ['a value without quotes', () => h`<p id=${'x'}>x</p>`],
    ['text among attributes', () => h`<p ${'onclick=x'}>x</p>`],
    ['something directly after attributes', () => h`<p ${attributes({ hidden: true })}x="1">x</p>`],
    ['attributes as text', () => h`<p>${attributes({ hidden: true })}</p>`],
    ['an end tag', () => h`<p>x</p ${attributes({ id: 'x' })}>`],
    ['a handler', () => h`<p onclick="${hostile}">x</p>`],
    ['a handler among attributes', () => h`<p ${attributes({ onclick: hostile })}>x</p>`],
    ['a style', () => h`<p style="${hostile}">x</p>`],
    ['a page in an attribute', () => h`<iframe srcdoc="${hostile}"></iframe>`],
    ['an unknown name among attributes', () => h`<p ${attributes({ 'a b': 'x' })}>x</p>`],
    ['an address as text', () => h`<a href="${'https://a.example'}">x</a>`],
    ['an address among attributes', () => h`<a ${attributes({ href: 'https://a.example' })}>x</a>`],
    ['an address whose server is open', () => h`<a href="/${'/evil.example'}">x</a>`],
    ['an address whose host is open', () => h`<a href="https://${'evil.example'}/">x</a>`],
    ['an address that begins empty', () => h`<a href="${null}${'javascript:x'}">x</a>`],
    ['HTML in an attribute', () => h`<p title="${h`<b>x</b>`}">x</p>`],
    ['HTML in a title', () => h`<title>${h`<b>x</b>`}</title>`],
    ['an element that is left open', () => h`${h`<script>`}alert(1)`],
    ['a tag that is left open', () => h`<a href="/x`],
    ['a style sheet that ends its element', () => styleElement('</style><script>')],
  ])('refuses %s', (_case, make) => {
    expect(make).toThrow(/template|attribute|put|take|style sheet/i)
  })

  it('lets no text break out of its place', () => {
    const page = (part: Part & (string | null)) =>
      h`<title>${part}</title>
        <p title="${part}" lang="${part}" ${attributes({ id: part })}>
          ${part}${[part, h`<b>${part}</b>`]}
        </p>
        <a href="#${part}">${part}</a>`.toString()
    const shape = (text: string) => text.replaceAll(/[^<>"'=]/g, '')
    const expected = shape(page('x'))
    const markup = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '</title>',
      '-->',
      '<script>',
      '&lt;',
      '\0',
      '=',
      ' ',
    )
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(fc.oneof(markup, fc.string()), { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(anything, (text) => {
        expect(shape(page(text.replaceAll('=', '')))).toBe(expected)
        const written = h`${text}`.toString()
        expect(written).not.toMatch(/[<>"']|&(?!#\d+;)/)
        const read = written.replaceAll(/&#(\d+);/g, (_all, code: string) =>
          String.fromCharCode(Number(code)),
        )
        expect(read).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('checkedUrl', () => {
  it.each([
    ['https://a.example', 'https://a.example/'],
    ['http://a.example/b?c#d', 'http://a.example/b?c#d'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['/app/x', '/app/x'],
    ['/', '/'],
    ['#here', '#here'],
    ['?page=2', '?page=2'],
  ])('%s', (text, address) => {
    expect(checkedUrl(text)?.toString()).toBe(address)
  })

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.example/x',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'relative',
    '',
  ])('refuses %j', (text) => {
    expect(checkedUrl(text)).toBeUndefined()
  })

  it('gives nothing that a browser reads as a program', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `javascript:${text}`),
        ),
        (text) => {
          const address = checkedUrl(text)?.toString()
          if (address === undefined) return
          const { protocol, host } = new URL(address, 'https://own.example/page')
          expect(['https:', 'http:', 'mailto:']).toContain(protocol)
          if (/^[/#?]/.test(address)) expect(host).toBe('own.example')
        },
      ),
    )
  })
})
