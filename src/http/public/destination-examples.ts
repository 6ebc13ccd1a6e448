import { exampleId, refused } from '../../docs-site/examples/example.ts'

export const destination = {
  id: exampleId,
  kind: 'webhook',
  name: 'Security on call',
  host: 'alerts.example.com',
  events: ['incident.opened', 'deadline.warning'],
  enabled: true,
  lastDeliveryAt: null,
  lastError: null,
}
export const chat = {
  ...destination,
  kind: 'chat_a',
  name: 'Security channel',
  host: 'hooks.slack.com',
  events: ['incident.opened'],
}

/** Of every request with a workspace token. */
export const workspaceTokenRefused = [refused('unauthorized'), refused('rate_limited')]
