import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, type Part } from '../html/html.ts'

export type Markdown = {
  /** Text of the first heading. */
  title: string
  /** Of its sections: the second level. */
  sections: { id: string; title: string }[]
  /** The text below each of these headings, and before the first one (`id` null), without marks. */
  parts: { id: string | null; title: string; text: string }[]
  content: Part
}

/** Where a link leads; undefined: its words are shown without a link. */
type Resolve = (href: string) => string | undefined

/**
 * Markdown of the project's own guides as HTML. The library only parses; its output is not used: every text is escaped by `html`, and HTML
 * inside the Markdown is shown as text. Headings have the ids that code forges give them.
 */
export function readMarkdown(text: string, resolve: Resolve): Markdown {
  const tokens = lexer(text) as MarkedToken[]
  const headings = tokens.filter((token) => token.type === 'heading')
  const title = headings.find(({ depth }) => depth === 1)
  return {
    title: title === undefined ? '' : plainText(title.tokens),
    content: tokens.map((token) => block(token, resolve)),
    sections: headings
      .filter(({ depth }) => depth === 2)
      .map(({ tokens: words }) => ({ id: idOf(plainText(words)), title: plainText(words) })),
    parts: partsOf(tokens),
  }
}

function partsOf(tokens: readonly MarkedToken[]): Markdown['parts'] {
  const parts: Markdown['parts'] = [{ id: null, title: '', text: '' }]
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === 1) continue
    if (token.type === 'heading' && token.depth === 2) {
      const title = plainText(token.tokens)
      parts.push({ id: idOf(title), title, text: '' })
      continue
    }
    const part = parts.at(-1)
    if (part !== undefined) part.text = `${part.text} ${withoutMarks(token.raw)}`.trim()
  }
  return parts
}

/** Words as a reader sees them: without the marks of links, tables, lists and emphasis. */
function withoutMarks(raw: string): string {
  return raw
    .replaceAll(/!\[|\]\([^)\s]*\)/g, '')
    .replaceAll(/[`*|#>[\]\\]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** As forges make them of headings: lower case, hyphens for spaces, nothing but letters, digits, hyphens and underscores. */
function idOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function block(token: MarkedToken, resolve: Resolve): Part {
  switch (token.type) {
    case 'heading':
      return heading(token, resolve)
    case 'paragraph':
      return html`<p>${inlines(token.tokens, resolve)}</p>`
    case 'code':
      return html`<pre tabindex="0"><code>${token.text}</code></pre>`
    case 'list':
      return list(token, resolve)
    case 'table':
      return table(token, resolve)
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens, resolve)}</blockquote>`
    case 'hr':
      return html`<hr />`
    case 'space':
    case 'def':
      return null
    default:
      return inline(token, resolve)
  }
}

function blocks(tokens: readonly Token[], resolve: Resolve): Part {
  return (tokens as MarkedToken[]).map((token) => block(token, resolve))
}

function heading({ depth, tokens }: Tokens.Heading, resolve: Resolve): Part {
  const id = idOf(plainText(tokens))
  const words = inlines(tokens, resolve)
  if (depth === 1) return html`<h1 id="${id}">${words}</h1>`
  if (depth === 2) return html`<h2 id="${id}">${words}</h2>`
  if (depth === 3) return html`<h3 id="${id}">${words}</h3>`
  return html`<h4 id="${id}">${words}</h4>`
}

function list({ ordered, start, items }: Tokens.List, resolve: Resolve): Part {
  const entries = items.map(({ tokens }) => html`<li>${blocks(tokens, resolve)}</li>`)
  return ordered
    ? html`<ol ${attributes({ start: start === '' || start === 1 ? null : start })}>
        ${entries}
      </ol>`
    : html`<ul>
        ${entries}
      </ul>`
}

function table({ header, rows }: Tokens.Table, resolve: Resolve): Part {
  const name = header.map(({ tokens }) => plainText(tokens)).join(', ')
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${name === '' ? 'Table' : name}">
    <table>
      <thead>
        <tr>
          ${header.map(({ tokens }) => html`<th scope="col">${inlines(tokens, resolve)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map(({ tokens }) => html`<td>${inlines(tokens, resolve)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function inlines(tokens: readonly Token[], resolve: Resolve): Part {
  return (tokens as MarkedToken[]).map((token) => inline(token, resolve))
}

function inline(token: MarkedToken, resolve: Resolve): Part {
  switch (token.type) {
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'strong':
      return html`<strong>${inlines(token.tokens, resolve)}</strong>`
    case 'em':
      return html`<em>${inlines(token.tokens, resolve)}</em>`
    case 'link':
      return link(token, resolve)
    case 'image':
      return image(token)
    case 'br':
      return html`<br />`
    case 'escape':
      return token.text
    case 'text':
      return token.tokens === undefined ? token.text : inlines(token.tokens, resolve)
    default:
      // HTML and what the guides do not use: as it is written
      return token.raw
  }
}

function link({ href, tokens }: Tokens.Link, resolve: Resolve): Part {
  const words = inlines(tokens, resolve)
  const address = checkedUrl(resolve(href) ?? '')
  return address === undefined ? words : html`<a href="${address}">${words}</a>`
}

/** Pictures of docs/images alone are shown; others stay as they are written. */
function image({ href, text, raw }: Tokens.Image): Part {
  const [, file] = /^images\/([a-z-]+\.webp)$/.exec(href) ?? []
  return file === undefined ? raw : html`<img src="/docs/images/${file}" alt="${text}" />`
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && Array.isArray(token.tokens) ? plainText(token.tokens) : textOf(token),
    )
    .join('')
}

function textOf(token: Token): string {
  return 'text' in token ? String(token.text) : token.raw
}
