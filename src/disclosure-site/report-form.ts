import { exploitedAnswers, type ReportText } from '../contract/disclosure/shapes.ts'
import {
  hiddenFieldName,
  textFields,
  type FieldProblems,
  type TypedFields,
} from '../disclosure/form/read-report.ts'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, type Html } from '../html/html.ts'
import { inLanguage, mailLink, rootOf, type Shown } from './company-page.ts'
import { wordsIn } from './words/all.ts'
import type { FormTrouble, Words } from './words/words.ts'

/** The form as it is shown: empty, or again with what was typed. */
export type ShownForm = {
  /** null: reports cannot be taken now. */
  stamp: string | null
  families: readonly { id: string; name: string }[]
  typed: TypedFields
  problems: FieldProblems
  trouble: FormTrouble | null
  sendsMail: boolean
}

/** Fields of text, and what kind of value a browser offers to fill in. */
type TextField = {
  name: keyof ReportText
  label: string
  hint?: string
  isLong?: boolean
  type?: 'text' | 'email' | 'url'
  autocomplete?: string
}

/** The form, or why there is none; what was typed before is in it again. */
export function reportForm(shown: Shown, form: ShownForm): Html {
  const { disclosure, language } = shown
  const words = wordsIn[language]
  const url = checkedUrl(inLanguage(rootOf(disclosure), language))
  if (form.stamp === null) {
    return html`<section id="report">
      <h2>${words.form.title}</h2>
      <p class="note bad" role="alert">${words.closedForm} ${mailLink(disclosure.contactEmail)}.</p>
      ${typedText(form, words)}
    </section>`
  }
  const trouble =
    form.trouble === null
      ? null
      : html`<p class="note bad" role="alert">
          ${words.troubles[form.trouble]} ${form.trouble === 'too_often' && mailLink(disclosure.contactEmail)}
        </p>`
  return html`<section id="report">
    <h2>${words.form.title}</h2>
    ${trouble}
    <p>${words.form.about}</p>
    <form
      novalidate
      method="post"
      enctype="multipart/form-data"
      accept-charset="utf-8"
      ${attributes({ action: url })}
    >
      <input type="hidden" name="stamp" value="${form.stamp}" />
      <div class="trap" aria-hidden="true">
        <label for="${hiddenFieldName}">${words.form.trap}</label>
        <input
          type="text"
          id="${hiddenFieldName}"
          name="${hiddenFieldName}"
          tabindex="-1"
          autocomplete="off"
          value="${form.typed.get(hiddenFieldName) ?? ''}"
        />
      </div>
      ${aboutIt(form, words)} ${whenAndWho(form, words)} ${credit(form, words)} ${contact(form, words)}
      <label for="attachments">${words.form.attachments}</label>
      <p class="hint" id="attachments-hint">${words.form.attachmentsHint}</p>
      <input type="file" id="attachments" name="attachments" multiple aria-describedby="attachments-hint" />
      <button type="submit">${words.form.send}</button>
    </form>
  </section>`
}

/** What was typed into a form that cannot be sent, to be copied. */
function typedText({ typed }: ShownForm, words: Words): Html | null {
  const description = typed.get('description') ?? ''
  if (description === '') return null
  return html`<h3>${words.form.description}</h3>
    <pre class="text">
${typed.get('title') ?? ''}
${description}</pre>`
}

function aboutIt(form: ShownForm, words: Words): Html {
  const { form: said } = words
  return html`${families(form, words)}
  ${field(form, words, { name: 'product', label: form.families.length === 0 ? said.product : said.productName })}
  ${field(form, words, { name: 'version', label: said.version })}
  ${field(form, words, { name: 'title', label: said.reportTitle })}
  ${field(form, words, { name: 'description', label: said.description, hint: said.descriptionHint, isLong: true })}
  ${field(form, words, { name: 'impact', label: said.impact, isLong: true })}
  ${field(form, words, { name: 'type', label: said.type, hint: said.typeHint })}
  ${field(form, words, { name: 'cve', label: said.cve })}`
}

function families({ families: offered, typed, problems }: ShownForm, words: Words): Html | null {
  if (offered.length === 0) return null
  const chosen = typed.get('family') ?? ''
  const options = [{ id: '', name: words.form.otherProduct }, ...offered].map(
    ({ id, name }) => html`<option ${attributes({ value: id, selected: id === chosen })}>${name}</option>`,
  )
  return html`<label for="family">${words.form.product}</label>
    <select id="family" name="family">
      ${options}
    </select>
    ${problem('family', problems.get('family'), words)}`
}

function whenAndWho(form: ShownForm, words: Words): Html {
  const { form: said } = words
  const answered = form.typed.get('exploited') ?? 'unknown'
  const answers = exploitedAnswers.map(
    (answer) =>
      html`<label class="choice"
        ><input
          ${attributes({ type: 'radio', name: 'exploited', value: answer, checked: answer === answered })}
        />
        ${said[answer]}</label
      >`,
  )
  return html`<fieldset>
      <legend>${said.exploited}</legend>
      <p class="hint">${said.exploitedHint}</p>
      ${answers} ${problem('exploited', form.problems.get('exploited'), words)}
    </fieldset>
    <label for="embargoUntil">${said.embargo}</label>
    <p class="hint" id="embargoUntil-hint">${said.embargoHint}</p>
    <input
      type="date"
      id="embargoUntil"
      name="embargoUntil"
      aria-describedby="embargoUntil-hint"
      value="${form.typed.get('embargoUntil') ?? ''}"
    />
    ${problem('embargoUntil', form.problems.get('embargoUntil'), words)}
    ${field(form, words, { name: 'toldOthers', label: said.toldOthers, isLong: true })}`
}

function credit(form: ShownForm, words: Words): Html {
  const { form: said } = words
  const isNamed = form.typed.get('credit') === 'named'
  const choice = (value: string, label: string, isChecked: boolean) =>
    html`<label class="choice"
      ><input ${attributes({ type: 'radio', name: 'credit', value, checked: isChecked })} /> ${label}</label
    >`
  const consent = attributes({
    type: 'checkbox',
    name: 'creditConsent',
    value: 'yes',
    checked: form.typed.get('creditConsent') === 'yes',
  })
  return html`<fieldset>
    <legend>${said.creditTitle}</legend>
    ${choice('anonymous', said.creditNone, !isNamed)} ${choice('named', said.creditNamed, isNamed)}
    ${field(form, words, { name: 'creditName', label: said.creditName, autocomplete: 'name' })}
    ${field(form, words, { name: 'creditOrganisation', label: said.creditOrganisation, autocomplete: 'organization' })}
    ${field(form, words, { name: 'creditLink', label: said.creditLink, type: 'url' })}
    <label class="choice"><input ${consent} /> ${said.creditConsent}</label>
  </fieldset>`
}

function contact(form: ShownForm, words: Words): Html {
  const { form: said } = words
  return html`<fieldset>
    <legend>${said.contactTitle}</legend>
    <p class="hint">${form.sendsMail ? said.contactHint : said.contactHintWithoutMail}</p>
    ${field(form, words, { name: 'contactName', label: said.contactName, autocomplete: 'name' })}
    ${field(form, words, { name: 'contactEmail', label: said.contactEmail, type: 'email', autocomplete: 'email' })}
  </fieldset>`
}

/** The browser's own checks are left off: every problem is said by the page, in its language, all at once. */
function field({ typed, problems }: ShownForm, words: Words, asked: TextField): Html {
  const { name, label, hint } = asked
  const found = problems.get(name)
  const described = [hint === undefined ? '' : `${name}-hint`, found === undefined ? '' : `${name}-problem`]
  const shared = {
    'aria-describedby': described.join(' ').trim() || null,
    'aria-invalid': found === undefined ? null : 'true',
    'aria-required': isRequired(name) ? 'true' : null,
  }
  return html`<label for="${name}"
      >${label}${isRequired(name) && html` <span class="quiet">(${words.form.required})</span>`}</label
    >
    ${hint === undefined ? null : html`<p class="hint" id="${`${name}-hint`}">${hint}</p>`}
    ${controlOf(asked, typed.get(name) ?? '', shared)} ${problem(name, found, words)}`
}

function isRequired(name: keyof ReportText): boolean {
  return name === 'title' || name === 'description'
}

function controlOf(
  { name, isLong = false, type = 'text', autocomplete }: TextField,
  value: string,
  shared: Record<string, string | null>,
): Html {
  if (isLong) {
    const rows = name === 'description' ? 12 : 4
    return html`<textarea ${attributes({ ...shared, id: name, name, rows })}>${value}</textarea>`
  }
  return html`<input
    ${attributes({ ...shared, id: name, name, type, autocomplete, maxlength: textFields[name] * 2, value })}
  />`
}

function problem(name: string, found: keyof Words['problems'] | undefined, words: Words): Html | null {
  return found === undefined
    ? null
    : html`<p class="error" id="${`${name}-problem`}">${words.problems[found]}</p>`
}
