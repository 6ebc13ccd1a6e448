import { attributes, html, type Html } from '../html/html.ts'
import type { OperatorForm } from './operating.ts'

/** Why a form was refused, by its fields. */
export type Problems = Readonly<Record<string, string>>

/** What a form shows again: what was typed and what was refused of it. */
export type Again = { form: OperatorForm; problems: Problems }

export const untouched: Again = { form: new Map(), problems: {} }

type Field = {
  /** Unique on the page. */
  id: string
  name: string
  label: string
  hint?: string
  value?: string
  /** Ends the form's own browser checks: the service judges, in words. */
  inputmode?: 'numeric'
  placeholder?: string
}

/** A field of one line with its label, hint and refusal. */
export function textField(
  { id, name, label, hint, value = '', inputmode, placeholder }: Field,
  again: Again,
): Html {
  const problem = again.problems[name]
  const described = [hint === undefined ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-error`]
  const given = attributes({
    id,
    name,
    placeholder,
    inputmode,
    value: again.form.get(name) ?? value,
    'aria-describedby': described.filter((part) => part !== '').join(' ') || null,
    'aria-invalid': problem === undefined ? null : 'true',
    autocomplete: 'off',
  })
  return html`<label for="${id}">${label}</label>
    ${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
    <input ${given} />
    ${problem === undefined ? null : html`<p class="error" id="${id}-error">${problem}</p>`}`
}

/** To stop something one types its name. */
export function confirmField(id: string, slug: string, again: Again): Html {
  return textField({ id, name: 'confirm', label: `Type ${slug} to confirm` }, again)
}

/** The problem of a confirmation that is not the slug. */
export function confirmProblem(form: OperatorForm, slug: string): Problems {
  return form.get('confirm') === slug ? {} : { confirm: `Type ${slug}, exactly as it is written here.` }
}
