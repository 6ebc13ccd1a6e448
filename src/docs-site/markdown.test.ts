import { expect, it } from 'vitest'
import { html } from '../html/html.ts'
import { readMarkdown } from './markdown.ts'

const written = (text: string) =>
  html`${readMarkdown(text, (href) => (href.startsWith('/') || href.startsWith('https:') ? href : undefined)).content}`
    .toString()
    .replaceAll(/\s*\n\s*/g, '')

it.each([
  ['# A `b` c', '<h1 id="a-b-c">A <code>b</code> c</h1>'],
  ["## What's `--x`: 1.2", '<h2 id="whats---x-12">What&#39;s <code>--x</code>: 1.2</h2>'],
  ['a **b** *c* \\*', '<p>a <strong>b</strong> <em>c</em> *</p>'],
  ['[a](/docs/b#c)', '<p><a href="/docs/b#c">a</a></p>'],
  ['[a](other.md)', '<p>a</p>'],
  ['[a](javascript:alert(1))', '<p>a</p>'],
  ['<b onclick="x()">y</b>', '<p>&#60;b onclick=&#34;x()&#34;&#62;y&#60;/b&#62;</p>'],
  ['<script>x</script>', '&#60;script&#62;x&#60;/script&#62;'],
  ['![a](https://x.example/y.png)', '<p>![a](https://x.example/y.png)</p>'],
  ['```html\n<i>\n```', '<pre tabindex="0"><code>&#60;i&#62;</code></pre>'],
  ['![a "b"](images/x-y.webp)', '<p><img src="/docs/images/x-y.webp" alt="a &#34;b&#34;" /></p>'],
  ['![a](images/../x.webp)', '<p>![a](images/../x.webp)</p>'],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['3. a', '<ol start="3"><li>a</li></ol>'],
])('%j is %s', (text, expected) => {
  expect(written(text)).toBe(expected)
})

it('names the sections of a page', () => {
  const { title, sections } = readMarkdown('# A\n\n## B `c`\n\n### D\n', () => undefined)
  expect({ title, sections }).toEqual({ title: 'A', sections: [{ id: 'b-c', title: 'B c' }] })
})
