import type { ReporterView, ThreadMessage } from '../disclosure/reports/receipt.ts'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, type Html } from '../html/html.ts'
import { companyPage, inLanguage, mailLink, rootOf, timeIn, type Shown } from './company-page.ts'
import type { DisclosePage } from './page-frame.ts'
import { wordsIn } from './words/all.ts'
import type { FormTrouble } from './words/words.ts'

export type ShownReport = {
  report: ReporterView
  token: string
  /** It was received a moment ago. */
  isNew: boolean
  /** null: messages cannot be taken now. */
  stamp: string | null
  typed: string
  problem: 'required' | 'too_long' | 'cut' | null
  trouble: FormTrouble | null
}

/** What a reporter is shown behind the secret link. */
export function statusPage(shown: Shown, given: ShownReport): DisclosePage {
  const { disclosure, language } = shown
  const { status: said } = wordsIn[language]
  const { report, isNew, token } = given
  const title = said.title(report.number)
  const body = html`<h1>${title}</h1>
    ${isNew && html`<p class="note good" role="status">${said.received}</p>`}
    <p class="note">${said.keepLink}</p>
    ${facts(shown, report)}
    <h2>${said.thread}</h2>
    ${report.thread.length === 0 ? html`<p class="quiet">${said.noMessages}</p>` : report.thread.map((message) => messageOf(shown, message))}
    ${messageForm(shown, given)} ${report.wantsCredit && creditForm(shown, given)}`
  return companyPage(shown, {
    title,
    path: `${rootOf(disclosure)}/reports/${token}`,
    body,
    isPrivate: true,
  })
}

function facts({ language }: Shown, report: ReporterView): Html {
  const { status: said, states } = wordsIn[language]
  const state = report.state === 'spam' ? 'new' : report.state
  const rows: [string, Html | string | null][] = [
    [said.yourTitle, report.title ?? said.unreadable],
    [said.state, states[state]],
    [said.receivedAt, timeIn(language, report.receivedAt)],
    [said.acknowledgeBy, report.acknowledgeBy === null ? null : timeIn(language, report.acknowledgeBy)],
    [said.attachments, report.attachments.map(({ name }) => name ?? said.unreadable).join(', ') || null],
  ]
  return html`<dl>
    ${rows.map(
      ([name, value]) =>
        value !== null &&
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}

function messageOf({ disclosure, language }: Shown, { from, at, text }: ThreadMessage): Html {
  const { status: said } = wordsIn[language]
  return html`<article>
    <h3>
      ${from === 'company' ? disclosure.companyName : said.you}
      <span class="quiet">${timeIn(language, at)}</span>
    </h3>
    <div class="text">${text ?? said.unreadable}</div>
  </article>`
}

function messageForm(shown: Shown, { stamp, typed, problem, trouble, token }: ShownReport): Html {
  const { disclosure, language } = shown
  const { status: said, problems, troubles, closedForm } = wordsIn[language]
  if (stamp === null) {
    return html`<p class="note bad" role="alert">${closedForm} ${mailLink(disclosure.contactEmail)}.</p>
      ${typed !== '' && html`<pre class="text">${typed}</pre>`}`
  }
  const invalid = attributes({
    'aria-invalid': problem === null ? null : 'true',
    'aria-describedby': problem === null ? null : 'text-problem',
  })
  return html`<form
    method="post"
    enctype="multipart/form-data"
    accept-charset="utf-8"
    ${actionOf(shown, token)}
  >
    <input type="hidden" name="action" value="message" />
    <input type="hidden" name="stamp" value="${stamp}" />
    ${trouble !== null && html`<p class="note bad" role="alert">${troubles[trouble]}</p>`}
    <label for="text">${said.write}</label>
    <textarea id="text" name="text" rows="6" ${invalid}>${typed}</textarea>
    ${problem !== null && html`<p class="error" id="text-problem">${problems[problem]}</p>`}
    <button type="submit">${said.send}</button>
  </form>`
}

function creditForm(shown: Shown, { report, token }: ShownReport): Html {
  const { status: said } = wordsIn[shown.language]
  const { creditConsent, isCredited, isPublished } = report
  const state = isCredited ? said.creditShown : creditConsent ? said.creditGiven : said.creditNotGiven
  return html`<h2>${said.credit}</h2>
    <p>${state}</p>
    ${isPublished && html`<p>${said.creditPublished}</p>`}
    <form method="post" enctype="multipart/form-data" ${actionOf(shown, token)}>
      <input type="hidden" name="action" value="consent" />
      <input type="hidden" name="consent" value="${creditConsent ? 'no' : 'yes'}" />
      <button type="submit">${creditConsent ? said.withdrawCredit : said.giveCredit}</button>
    </form>`
}

function actionOf({ disclosure, language }: Shown, token: string) {
  return attributes({ action: checkedUrl(inLanguage(`${rootOf(disclosure)}/reports/${token}`, language)) })
}
