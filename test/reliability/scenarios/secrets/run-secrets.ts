import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../../src/database/connection.ts'
import type { CreatedToken } from '#contract/tokens/shapes.ts'
import type { NewDestination } from '#contract/alerts/shapes.ts'
import type { NewApp, NewRecoveryCodes } from '#contract/people/sign-in.ts'
import { readOperations } from '../../../support/app-operations.ts'
import { sampleSbom } from '../../../support/sample-sbom.ts'
import type { Service } from '../../../support/service.ts'
import type { Outcome } from '../outcome.ts'
import { Collected } from './collected.ts'
import { signIn } from '../../../../src/contract/people/operations/session.ts'
import { requestEmailChange, requestReset } from '../../../../src/contract/people/operations/profile.ts'
import { requestSignUp } from '../../../../src/contract/people/operations/sign-up.ts'
import { changePassword } from '../../../../src/contract/people/operations/account.ts'
import { beginApp, getSecondFactors } from '../../../../src/contract/people/operations/second-factor.ts'

export type SecretsOrder = {
  /** Role `all`, so that its log covers background work, too. Logs at every level. */
  service: Service
  db: Db
  /** Secrets the operator set in the environment. */
  configured: readonly string[]
}

/** The run's workspace, which it creates itself. */
const slug = 'guarded'
const workspace = `/api/app/workspaces/${slug}`
const owner = 'olga@guarded.example'

type Provisioned = { workspaces: { families: { id: string }[] }[] }

/**
 * Uses every feature that creates, shows or receives secrets, through the interfaces for people and pipelines. Then neither the database,
 * nor the logs, nor any answer except the one that shows it contains any of them, in any encoding.
 */
export async function runSecrets(order: SecretsOrder): Promise<Outcome> {
  const { service, db } = order
  const seen = new Collected(service.baseUrl)
  for (const secret of order.configured) seen.add('a setting', secret, false)
  const password = seen.add('password', `first ${randomBytes(9).toString('hex')}`, false)
  const family = await provision(service, password)
  await seen.act(signIn.path, { method: 'POST', body: { email: owner, password } })
  const tokens = await makeTokens(seen, family)
  await usePipelines(seen, tokens)
  await addDestinations(seen)
  await companySignIn(seen)
  await report(seen)
  await letters({ service, seen, password })
  await operatorPages({ service, seen })
  await setNewPassword(seen, password)
  await secondFactor(seen)
  await service.cli(['drain'])
  await readEverything(seen, family)
  const places = { 'the store': await dump(db), 'the log': service.output() }
  return {
    figures: {
      ...seen.size,
      dumpKB: places['the store'].length / 1024,
      logKB: places['the log'].length / 1024,
    },
    failures: seen.search(places),
  }
}

async function provision(service: Service, password: string): Promise<string> {
  const { workspaces } = await service.cli<Provisioned>(['provision'], {
    workspaces: [
      {
        slug,
        companyName: 'Guarded',
        securityContactEmail: 'security@guarded.example',
        plan: 'core',
        members: [{ email: owner, name: 'Olga', role: 'owner', password }],
        families: [{ name: 'Pump' }],
      },
    ],
  })
  return workspaces[0]?.families[0]?.id ?? ''
}

async function makeTokens(seen: Collected, familyId: string): Promise<string[]> {
  const tokens: string[] = []
  for (const kind of ['upload', 'results', 'workspace'] as const) {
    const body = { name: kind, kind, familyId: kind === 'workspace' ? null : familyId, expiresInDays: null }
    const { secret } = await seen.act<CreatedToken>(`${workspace}/tokens`, { method: 'POST', body })
    tokens.push(seen.add(`${kind} token`, secret, true))
  }
  return tokens
}

/** Tokens where they belong, and where people put them by mistake. */
async function usePipelines(seen: Collected, tokens: readonly string[]): Promise<void> {
  const [upload = '', , manage = ''] = tokens
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const body = sampleSbom({ components: 3, serial: 77 }).toString()
  await seen.act('/api/v1/sboms', { method: 'POST', headers: bearer(upload), body })
  await seen.ask('/api/v1/connectors/dependency-track', {
    method: 'POST',
    headers: { 'x-api-key': upload },
    body: { no: 'notification' },
  })
  const path = seen.add('address of a destination', `T0/B1/${randomBytes(12).toString('hex')}`, false)
  const made = await seen.act<NewDestination>('/api/v1/alert-destinations', {
    method: 'POST',
    headers: bearer(manage),
    body: {
      kind: 'webhook',
      name: 'of a pipeline',
      events: ['report.received'],
      url: `https://hooks.guarded.example/${path}`,
    },
  })
  seen.add('signing secret', made.secret ?? '', true)
  await seen.ask('/api/v1/alert-destinations', { headers: bearer(manage) })
  for (const token of tokens) {
    for (const address of [`/api/v1/sboms?token=${token}`, `/${token}`, `/api/v1/${token}/sboms`])
      await seen.ask(address, { headers: bearer(`${token}x`) })
    await seen.ask('/api/v1/sboms', {
      method: 'POST',
      headers: { 'x-api-key': token },
      body: `{"token":"${token}"}`,
    })
  }
}

/** Each gets a test that fails to arrive: the failure is shown and logged. */
async function addDestinations(seen: Collected): Promise<void> {
  for (const [kind, host] of [
    ['webhook', 'hooks.guarded.example'],
    ['chat_a', 'hooks.slack.com'],
  ] as const) {
    const path = seen.add(`address of ${kind}`, randomBytes(15).toString('hex'), false)
    const address = kind === 'webhook' ? path : `services/T00000000/B00000000/${path}`
    const body = { kind, name: kind, url: `https://${host}/${address}`, events: ['report.received'] }
    const made = await seen.act<NewDestination>(`${workspace}/destinations`, { method: 'POST', body })
    if (made.secret !== undefined) {
      seen.add('signing secret', made.secret, true)
      const renewed = `${workspace}/destinations/${made.id}/secret`
      const { secret } = await seen.act<{ secret: string }>(renewed, { method: 'POST' })
      seen.add('signing secret, renewed', secret, true)
    }
    await seen.act(`${workspace}/destinations/${made.id}/test`, { method: 'POST' })
    await seen.ask(`${workspace}/destinations/${made.id}/deliveries`)
  }
}

async function companySignIn(seen: Collected): Promise<void> {
  const clientSecret = seen.add('client secret', randomBytes(20).toString('base64url'), false)
  const body = { issuer: 'https://id.guarded.example', clientId: 'monitor', clientSecret }
  await seen.act(`${workspace}/sign-in/issuer`, { method: 'POST', body })
  await seen.ask(`${workspace}/sign-in`)
}

/** Somebody reports a vulnerability; the link in the receipt is theirs alone. */
async function report(seen: Collected): Promise<void> {
  const { text } = await seen.ask(`/disclose/${slug}`)
  const fields = {
    stamp: /name="stamp" value="([^"]+)"/.exec(text)?.[1] ?? '',
    title: 'Overflow',
    description: 'Long.',
    contactName: 'Rita',
    contactEmail: 'rita@reporter.example',
  }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const answer = await seen.ask(`/disclose/${slug}`, {
    method: 'POST',
    body: `${parts.join('')}--part--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=part' },
  })
  if (answer.status !== 303) throw new Error(`the report was answered ${answer.status}: ${answer.text}`)
  const { headers } = answer
  const [, receipt = ''] = /\/reports\/([\w-]{43})/.exec(String(headers['location'])) ?? []
  seen.add('link of a receipt', receipt, true)
  await seen.ask(`/disclose/${slug}/reports/${receipt}`)
  // people with the link open the page, whose forms link back to it
  seen.add('link of a receipt', receipt, true)
  await seen.ask(`/disclose/another/reports/${receipt}`)
}

type MailList = { mail: { id: string }[] }

/** Every act that sends a link; an operator reads the letters, as without a mail server. */
async function letters({
  service,
  seen,
  password,
}: {
  service: Service
  seen: Collected
  password: string
}): Promise<void> {
  await seen.act(`${workspace}/invitations`, {
    method: 'POST',
    body: { email: 'ivan@guarded.example', role: 'editor' },
  })
  await seen.act(requestEmailChange.path, {
    method: 'POST',
    body: { email: 'olga.new@guarded.example', password },
  })
  await seen.act(requestSignUp.path, {
    method: 'POST',
    body: {
      name: 'Nils',
      email: 'nils@new.example',
      companyName: 'New',
      slug: 'new-one',
      timeZone: 'UTC',
      securityContactEmail: 'security@new.example',
      acceptsTerms: true,
    },
  })
  await seen.act(requestReset.path, { method: 'POST', body: { email: owner } })
  await service.cli(['drain'])
  const { mail } = await service.cli<MailList>(['mail', 'list'])
  for (const { id } of mail) {
    const { text } = await service.cli<{ text: string }>(['mail', 'show', id])
    for (const [, link = ''] of text.matchAll(/#([\w-]{43})/g)) {
      seen.add('link of a letter', link, false)
      for (const path of ['invitations/state', 'password-reset/state', 'sign-up/state'])
        await seen.ask(`/api/app/${path}`, { method: 'POST', body: { secret: link } })
      await seen.ask(`/app/invitation/${link}`)
    }
  }
}

async function operatorPages({ service, seen }: { service: Service; seen: Collected }): Promise<void> {
  const { link } = await service.cli<{ link: string }>(['operator', 'link'])
  const path = new URL(link).pathname
  seen.add('link of an operator', path.split('/').at(-1) ?? '', false)
  await seen.ask(path, { method: 'POST' })
  for (const page of ['', '/workspaces', `/workspaces/${slug}`, '/jobs', '/mail'])
    await seen.ask(`/operator${page}`)
}

async function setNewPassword(seen: Collected, currentPassword: string): Promise<void> {
  const newPassword = seen.add('new password', `second ${randomBytes(9).toString('hex')}`, false)
  await seen.act(changePassword.path, { method: 'POST', body: { currentPassword, newPassword } })
}

async function secondFactor(seen: Collected): Promise<void> {
  const app = beginApp.path
  const { secret } = await seen.act<NewApp>(app, { method: 'POST' })
  seen.add('secret of an app', secret, true)
  seen.add('secret of an app, its bytes', Buffer.from(Secret.fromBase32(secret).bytes).toString('hex'), false)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const { recoveryCodes } = await seen.act<NewRecoveryCodes>(`${app}/code`, {
    method: 'POST',
    body: { code },
  })
  for (const each of recoveryCodes) seen.add('recovery code', each, true)
  await seen.ask(getSecondFactors.path)
}

/** Reads every page of the workspace as its owner. */
async function readEverything(seen: Collected, family: string): Promise<void> {
  for (const { method, path } of (await readOperations()).values()) {
    if (method !== 'GET' || path.includes('/session')) continue
    await seen.ask(path.replace(':slug', slug).replace(':family', family).replaceAll(/:\w+/g, '1'))
  }
}

/** Every row of every table as text, with bytes in hexadecimal: the content of a stolen dump. */
async function dump(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and relkind = 'r'`.execute(db)
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(db)
    parts.push(...rows.map(({ line }) => line))
  }
  return parts.join('\n')
}
