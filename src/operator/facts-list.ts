import { html, type Html, type Part } from '../html/html.ts'

/** What is known of something, each fact under its name. */
export function factsList(facts: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}
