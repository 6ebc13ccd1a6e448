import { checkedUrl } from '../html/checked-url.ts'
import { html, type Html } from '../html/html.ts'
import { companyPage, mailLink, rootOf, type Shown } from './company-page.ts'
import type { DisclosePage } from './page-frame.ts'
import { reportForm, type ShownForm } from './report-form.ts'
import { wordsIn } from './words/all.ts'

/** The policy with the report form under it. */
export function policyPage(shown: Shown, form: ShownForm): DisclosePage {
  const { disclosure, language } = shown
  const words = wordsIn[language]
  const body = html`<h1>${words.policyTitle}</h1>
    <p>${words.intro(disclosure.companyName)} <a href="#report">${words.toForm}</a>.</p>
    <p>${words.byMail} ${mailLink(disclosure.contactEmail)}</p>
    ${encryption(shown)} ${form.trouble === null ? policyText(shown) : null} ${reportForm(shown, form)}`
  return companyPage(shown, { title: words.policyTitle, path: rootOf(disclosure), body })
}

function encryption({ disclosure: { encryptionUrl }, language }: Shown): Html | null {
  if (encryptionUrl === null) return null
  const url = checkedUrl(encryptionUrl)
  const shown =
    url === undefined ? html`<code>${encryptionUrl}</code>` : html`<a href="${url}">${encryptionUrl}</a>`
  return html`<p>${wordsIn[language].encryption} ${shown}</p>`
}

function policyText({ disclosure, language }: Shown): Html {
  const words = wordsIn[language]
  if (disclosure.policy !== null) {
    return html`<section>
      <h2>${words.ownPolicy}</h2>
      <div class="text">${disclosure.policy}</div>
    </section>`
  }
  const { companyName: company, promiseDays, embargoDays } = disclosure
  const sections = words.policy({ company, promiseDays, embargoDays })
  return html`${sections.map(
    ({ title, text }) =>
      html`<section>
        <h2>${title}</h2>
        <p>${text}</p>
      </section>`,
  )}`
}
