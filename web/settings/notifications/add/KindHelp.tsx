import type { ReactNode } from 'react'
import { destinationKinds, type DestinationKind } from '#contract/alerts/shapes.ts'
import styles from './KindHelp.module.css'

/** Where to get the URL of a destination. Every kind takes the height of the longest text, so that nothing moves. */
export function KindHelp({ kind: chosen }: { kind: DestinationKind }): ReactNode {
  return (
    <div className={styles['help']}>
      {destinationKinds.map((kind) => (
        <ul key={kind} className={styles['steps']} data-shown={kind === chosen} aria-hidden={kind !== chosen}>
          {steps[kind]}
        </ul>
      ))}
    </div>
  )
}

const steps: Record<DestinationKind, ReactNode> = {
  chat_a: (
    <>
      <li>
        A message in a channel: add an app with “Incoming Webhooks” to the channel, and copy its webhook URL (
        <code>hooks.slack.com/services/…</code>).
      </li>
      <li>
        A workflow: start it “From a webhook” with the text variables <code>event</code>, <code>summary</code>
        , <code>details</code>, <code>workspace</code> and <code>link</code>, and copy its web request URL (
        <code>hooks.slack.com/triggers/…</code>).
      </li>
    </>
  ),
  chat_b: (
    <>
      <li>
        In the Workflows app of Teams, create a workflow for a channel or chat that starts “When a Teams
        webhook request is received”, and copy its URL at the end (<code>…logic.azure.com</code> or{' '}
        <code>…api.powerplatform.com</code>).
      </li>
      <li>
        URLs of the connectors that Microsoft has retired (<code>…webhook.office.com</code>) are refused.
      </li>
    </>
  ),
  webhook: (
    <>
      <li>
        An HTTPS endpoint of your own. Its host name must lead to public addresses only, and it must answer
        2xx within 5 seconds.
      </li>
      <li>Every post is signed with a secret, which you see once when the destination is added.</li>
    </>
  ),
}
