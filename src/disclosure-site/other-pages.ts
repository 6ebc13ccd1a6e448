import type { Acknowledgment } from '../disclosure/inbox/credit.ts'
import { checkedUrl } from '../html/checked-url.ts'
import { html, type Html } from '../html/html.ts'
import { companyPage, rootOf, type Shown } from './company-page.ts'
import type { DisclosePage } from './page-frame.ts'
import { wordsIn } from './words/all.ts'

/** Who is thanked, by their own consent. */
export function acknowledgmentsPage(shown: Shown, thanked: readonly Acknowledgment[]): DisclosePage {
  const { disclosure, language } = shown
  const { thanks } = wordsIn[language]
  const list =
    thanked.length === 0
      ? html`<p class="quiet">${thanks.none}</p>`
      : html`<ul>
          ${thanked.map((one) => html`<li>${nameOf(one)} <span class="quiet">${one.day.slice(0, 7)}</span></li>`)}
        </ul>`
  const body = html`<h1>${thanks.title}</h1>
    <p>${thanks.intro(disclosure.companyName)}</p>
    ${list}`
  return companyPage(shown, { title: thanks.title, path: `${rootOf(disclosure)}/acknowledgments`, body })
}

function nameOf({ name, link }: Acknowledgment): Html {
  const url = link === null ? undefined : checkedUrl(link)
  return url === undefined ? html`${name}` : html`<a href="${url}" rel="nofollow noopener">${name}</a>`
}

/** `notFound`: no report has the link; `tooOften`: too many links were tried. */
export function refusalPage(shown: Shown, which: 'notFound' | 'tooOften'): DisclosePage {
  const { title, text } = wordsIn[shown.language][which]
  const body = html`<h1>${title}</h1>
    <p>${text}</p>`
  const path = rootOf(shown.disclosure)
  return companyPage(shown, { title, path, body, isPrivate: true, isRefusal: true })
}
