import type { PublicLanguage } from '../contract/disclosure/shapes.ts'
import { shownTime } from '../contract/shown-time.ts'
import type { PublicDisclosure } from '../disclosure/settings/public-disclosure.ts'
import { mailtoOf } from '../disclosure/settings/security-txt.ts'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, type Html } from '../html/html.ts'
import { discloseRoot, type DisclosePage, type PageLink } from './page-frame.ts'
import { wordsIn } from './words/all.ts'

/** A page of a company in one of its languages. */
export type Shown = { disclosure: PublicDisclosure; language: PublicLanguage }

type Content = {
  title: string
  /** Of this server, without query. */
  path: string
  body: Html
  /** Not for search engines. */
  isPrivate?: boolean
  /** It is shown instead of the page at `path`, and each link leads away from it. */
  isRefusal?: boolean
}

/** The frame around a page of the company, with its other pages and languages. */
export function companyPage(
  shown: Shown,
  { title, path, body, isPrivate = false, isRefusal = false }: Content,
): DisclosePage {
  const { disclosure, language } = shown
  return {
    lang: language,
    title,
    companyName: disclosure.companyName,
    links: companyLinks(shown, isRefusal ? null : path),
    ...(isPrivate ? { head: html`<meta name="robots" content="noindex" />` } : {}),
    body: html`${languageSwitch(shown, path)} ${body}`,
  }
}

/** The public pages of the company; a closed one takes no reports. */
export function companyLinks({ disclosure, language }: Shown, current: string | null): PageLink[] {
  const words = wordsIn[language]
  const root = rootOf(disclosure)
  const links = [
    ...(disclosure.isClosed ? [] : [{ path: root, label: words.policyTitle }]),
    { path: `${root}/advisories`, label: words.advisories },
    { path: `${root}/acknowledgments`, label: words.acknowledgments },
  ]
  return links.map(({ path, label }) => ({
    path: inLanguage(path, language),
    label,
    isCurrent: path === current,
  }))
}

function languageSwitch({ disclosure, language }: Shown, path: string): Html | null {
  if (disclosure.languages.length < 2) return null
  const choices = disclosure.languages.map((choice) => {
    const link = attributes({
      href: checkedUrl(inLanguage(path, choice)),
      lang: choice,
      hreflang: choice,
      'aria-current': choice === language ? 'true' : null,
    })
    return html`<a ${link}>${wordsIn[choice].language}</a> `
  })
  return html`<nav class="quiet" aria-label="${wordsIn[language].languages}">${choices}</nav>`
}

export function rootOf({ slug }: Pick<PublicDisclosure, 'slug'>): string {
  return `${discloseRoot}${slug}`
}

export function inLanguage(path: string, language: PublicLanguage): string {
  return `${path}?lang=${language}`
}

/** `12 Sept 2026, 08:00 UTC`, in the language of the page, for machines too. */
export function timeIn(language: PublicLanguage, at: Date | string): Html {
  const words = shownTime(at, 'UTC', language === 'en' ? undefined : language)
  return html`<time ${attributes({ datetime: new Date(at).toISOString() })}>${words}</time>`
}

export function mailLink(address: string): Html {
  const url = checkedUrl(mailtoOf(address))
  return url === undefined ? html`${address}` : html`<a href="${url}">${address}</a>`
}
