import { html, type Html } from '../html/html.ts'
import type { KeyState } from '../views/operation/key-state.ts'
import { counted } from './words.ts'

export type Attention = {
  /** The database commits what is written. */
  takesWrites: boolean
  failedJobs: number
  failedMail: number
  /** Waiting for the mail server for a while. */
  lateMail: number
  sendsMail: boolean
  keys: Pick<KeyState, 'state' | 'meaning'>
  /** What works worse than it should, as `/readyz` says it. */
  degraded: readonly string[]
  /** What the object store says instead of an answer. */
  objectStore: string | null
  failingSources: number
  /** Destinations of alerts. */
  failingDestinations: number
}

/** What an operator should look at, the worst first. */
export function attentionList(asked: Attention): Html {
  const {
    takesWrites,
    failedJobs,
    failedMail,
    lateMail,
    sendsMail,
    keys,
    degraded,
    objectStore,
    failingSources,
    failingDestinations,
  } = asked
  const needs = [
    !takesWrites &&
      html`<li class="bad">
        The database accepts no writes: its disk is full, it is a standby, or it waits for one. Until it
        accepts them again, uploads and acts are refused, and jobs and alerts wait.
      </li>`,
    ...degraded.map((words) => html`<li class="bad">${words}</li>`),
    keys.state !== 'ready' &&
      degraded.length === 0 &&
      html`<li class="bad">The encryption keys: ${keys.meaning}.</li>`,
    objectStore !== null && storeFails(objectStore),
    failedJobs > 0 &&
      html`<li class="bad">
        <a href="/operator/jobs">${counted(failedJobs, 'failed job')}</a>: their work is not done until they
        run again.
      </li>`,
    failingSources > 0 &&
      html`<li>
        ${counted(failingSources, 'source')} of vulnerability data could not be read last time. What was
        loaded before stays in use.
      </li>`,
    failingDestinations > 0 &&
      html`<li>
        <a href="#destinations">${counted(failingDestinations, 'destination')}</a> of alerts could not be
        reached for an hour or longer.
      </li>`,
    lateMail > 0 &&
      html`<li>
        <a href="/operator/mail?state=waiting">${counted(lateMail, 'message')}</a> could not be delivered for
        15 minutes or longer: the list says why. Each is tried for a day.
      </li>`,
    failedMail > 0 &&
      html`<li>
        <a href="/operator/mail?state=failed">${counted(failedMail, 'message')}</a> could not be delivered.
      </li>`,
    !sendsMail &&
      html`<li>
        There is no mail server (<code>SMTP_URL</code>):
        <a href="/operator/mail?state=kept">messages are kept</a> and not sent.
      </li>`,
  ].filter((need) => need !== false)
  if (needs.length === 0) return html`<p class="note good">Nothing needs attention.</p>`
  return html`<ul class="attention" aria-label="Needs attention">
    ${needs}
  </ul>`
}

function storeFails(words: string): Html {
  return html`<li class="bad">
    <a href="#object-store">The object store fails</a>: ${words}. Uploads that go there are refused, and
    originals that are there cannot be opened, until it answers.
  </li>`
}
