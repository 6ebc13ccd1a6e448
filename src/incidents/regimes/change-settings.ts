import { regimes, type Regime } from '../../contract/alerts/events.ts'
import {
  preparations,
  type Authority,
  type Preparation,
  type RegimeSettings,
} from '../../contract/incidents/regimes.ts'
import { knownKeys } from '../../contract/known-keys.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { sortedKeys } from '../../formats/json/sorted-keys.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { readDoraFacts, type DoraFactsChange } from './read-dora-facts.ts'
import { defaultRegimeSettings, selectRegimeSettings } from './settings.ts'
import { companyNameOf } from '../../workspace/company/company-name.ts'

/** What is to change; an authority or a day that is null is removed. */
export type RegimeChange = Partial<Record<Regime, boolean>> & {
  mainEstablishment?: string | null
  authorities?: Partial<Record<Regime, Authority | null>>
  confirmed?: Partial<Record<Preparation, string | null>>
  doraFacts?: DoraFactsChange
}

type Act = { workspaceId: string; actor: Actor; now: Date }

const longest = { name: 200, portal: 2_000, phone: 50 }

/** Changes under which regimes, and to whom, incidents opened from now on are reported. Codes: `invalid_request`. */
export async function changeRegimeSettings(
  db: Db,
  { workspaceId, actor, now }: Act,
  change: RegimeChange,
): Promise<void> {
  const read = readChange(change, now)
  await transact(db, async (tx) => {
    await tx
      .insertInto('regime_settings')
      .values({ workspace_id: workspaceId, ...columnsOf(defaultRegimeSettings) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await tx
      .selectFrom('regime_settings')
      .select('workspace_id')
      .where('workspace_id', '=', workspaceId)
      .forNoKeyUpdate()
      .execute()
    const before = await selectRegimeSettings(tx, workspaceId)
    const after = changed(before, read)
    const names = differing(before, after)
    await tx
      .updateTable('regime_settings')
      .set({ ...columnsOf(after), ...(names.includes('doraFacts') ? { dora_facts_changed_at: now } : {}) })
      .where('workspace_id', '=', workspaceId)
      .execute()
    if (names.length === 0) return
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'regimes.changed',
      object: { kind: 'workspace', id: workspaceId, name: await companyNameOf(tx, workspaceId) },
      before: only(before, names),
      after: only(after, names),
    })
  })
}

function columnsOf({ mainEstablishment, authorities, confirmed, doraFacts, ...switches }: RegimeSettings) {
  return {
    ...switches,
    main_establishment: mainEstablishment,
    authorities: JSON.stringify(authorities),
    confirmed: JSON.stringify(confirmed),
    dora_facts: JSON.stringify(doraFacts),
  }
}

function changed(before: RegimeSettings, change: RegimeChange): RegimeSettings {
  const { authorities = {}, confirmed = {}, doraFacts = {}, ...others } = change
  return {
    ...before,
    ...others,
    authorities: withoutNulls({ ...before.authorities, ...authorities }),
    confirmed: withoutNulls({ ...before.confirmed, ...confirmed }),
    doraFacts: withoutNulls({ ...before.doraFacts, ...doraFacts }),
  }
}

function withoutNulls<T>(entries: Partial<Record<string, T | null>>): Record<string, T> {
  const kept = Object.entries(entries).flatMap(([name, one]) =>
    one === null || one === undefined ? [] : [[name, one] as const],
  )
  return Object.fromEntries(kept)
}

function differing(before: RegimeSettings, after: RegimeSettings): (keyof RegimeSettings)[] {
  const names = knownKeys(after)
  // the store has an order of its own
  const written = (settings: RegimeSettings, name: keyof RegimeSettings) =>
    JSON.stringify(sortedKeys(settings[name]))
  return names.filter((name) => written(before, name) !== written(after, name))
}

function only(settings: RegimeSettings, names: readonly (keyof RegimeSettings)[]) {
  return Object.fromEntries(names.map((name) => [name, settings[name]]))
}

function readChange(
  { mainEstablishment, authorities, confirmed = {}, doraFacts = {}, ...switches }: RegimeChange,
  now: Date,
): RegimeChange {
  const reader = new InputReader()
  const country = readCountry(reader, mainEstablishment)
  const read = Object.fromEntries(
    regimes.flatMap((regime) => {
      const authority = authorities?.[regime]
      return authority === undefined ? [] : [[regime, readAuthority(reader, regime, authority)]]
    }),
  )
  for (const preparation of preparations) {
    const day = confirmed[preparation]
    if (typeof day === 'string') reader.pastDay(`confirmed/${preparation}`, day, now)
  }
  const facts = readDoraFacts(reader, doraFacts)
  reader.finish()
  return {
    ...switches,
    ...(country === undefined ? {} : { mainEstablishment: country }),
    authorities: read,
    confirmed,
    doraFacts: facts,
  }
}

function readCountry(reader: InputReader, given: string | null | undefined): string | null | undefined {
  if (given === undefined || given === null) return given
  const code = given.trim().toUpperCase()
  if (!isCountry(code)) {
    reader.refuse('mainEstablishment', 'The two letters of a country are required, such as NO.')
  }
  return code
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** Codes that name no single country. */
const notCountries = ['ZZ', 'EU', 'EZ', 'UN', 'QO', 'XA', 'XB']

function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !notCountries.includes(code) && countryNames.of(code) !== undefined
}

function readAuthority(reader: InputReader, regime: Regime, given: Authority | null): Authority | null {
  if (given === null) return null
  const at = `authorities/${regime}`
  return {
    name: reader.line(`${at}/name`, given.name, longest.name),
    portal: readPortal(reader, `${at}/portal`, given.portal),
    phone: reader.optionalLine(`${at}/phone`, given.phone ?? undefined, longest.phone),
  }
}

function readPortal(reader: InputReader, field: string, given: string | null): string | null {
  if (given === null || given.trim() === '') return null
  const [portal = ''] = reader.links(field, [given], 1)
  return portal
}
