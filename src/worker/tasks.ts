import { matchDigests } from '../sbom/components/match-digests.ts'
import { matchPackages } from '../findings/changes/match-packages.ts'
import { giveUpSbom, matchSbom, matchSboms } from '../findings/changes/match-sbom.ts'
import { purgeFamilyFindings } from '../findings/changes/purge-family.ts'
import { refreshExploited } from '../findings/changes/refresh-exploited.ts'
import { refreshFamilyFindings } from '../findings/refresh/refresh-findings.ts'
import { renewVersionKeys } from '../findings/changes/renew-keys.ts'
import { purgeFamilyDays } from '../metrics/purge-family.ts'
import { emitEvent } from '../alerts/deliveries/emit.ts'
import { sendNotice } from '../notices/tell-members.ts'
import { settleWorkspace } from '../incidents/reports/settle-workspace.ts'
import { releaseIncidents } from '../incidents/record/release-incidents.ts'
import { followGroups } from '../incidents/openings/follow-groups.ts'
import { openIncidents } from '../incidents/openings/open-incidents.ts'
import { outboundOf } from '../platform/outbound/configured.ts'
import { stripeOf } from '../workspace/billing/configured.ts'
import { fetchSubscription } from '../workspace/billing/fetch-subscription.ts'
import { eraseOriginals, enqueueErasure } from '../workspace/originals/erase-originals.ts'
import { deleteRows } from '../workspace/closing/delete-rows.ts'
import { insertLetter } from '../notices/mail/insert-mails.ts'
import { mailOf } from '../notices/mail/configured.ts'
import { mailReporter } from '../notices/mail/mail-reporter.ts'
import type { Config, Secrets } from '../platform/config/config.ts'
import type { Db } from '../database/connection.ts'
import type { Deps } from '../platform/deps.ts'
import type { Tasks } from '../queue/run-next.ts'
import type { Originals } from '../originals/originals.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { purgeFamilySboms } from '../sbom/purge-family.ts'
import { purgeFamilyVex } from '../vex/purge-family.ts'
import { giveUpRefresh, refreshSource } from '../vulndata/refresh.ts'
import { tellMalware } from '../findings/refresh/tell-malware.ts'
import { sendReset } from '../people/reset-password.ts'

/** Job name → domain function. */
export function createTasks(
  deps: Deps & { config: Config; secrets: Secrets; sealing: Sealing; originals: Originals },
): Tasks {
  const { db, now, log, sealing, originals, config, secrets } = deps
  const stripe = stripeOf(config, secrets, outboundOf(config))
  const reporterMail = { db, now, log, sealing, ...mailOf(config, secrets) }
  return {
    match_sbom: {
      run: (payload) => matchSbom(db, { ...payload, now: now(), originals }),
      runTogether: async (payloads) => {
        const [first] = payloads
        const sbomIds = payloads.map(({ sbomId }) => sbomId)
        if (first !== undefined)
          await matchSboms(db, { workspaceId: first.workspaceId, sbomIds, now: now(), originals })
      },
      giveUp: (payload) => giveUpSbom(db, { ...payload, now: now() }),
    },
    refresh_findings: { run: (payload) => refreshFamilyFindings(db, { ...payload, now: now(), originals }) },
    match_packages: {
      run: async (payload) => {
        await matchPackages(db, { ...payload, now: now() })
        await followGroups(db, payload.mergedGroups ?? [])
      },
    },
    match_digests: { run: (payload) => matchDigests(db, { ...payload, now: now() }) },
    tell_malware: { run: (payload) => tellMalware(db, payload, now()) },
    refresh_exploited: { run: () => refreshExploited(db, now()) },
    open_incidents: {
      run: ({ workspaceId, familyId, pausedFrom }) =>
        openIncidents(db, { workspaceId, familyIds: [familyId], pausedFrom }, now()),
      runTogether: async (payloads) => {
        const [first] = payloads
        const familyIds = payloads.map(({ familyId }) => familyId)
        const pausedFrom = payloads.find((payload) => payload.pausedFrom !== undefined)?.pausedFrom
        if (first !== undefined) await openIncidents(db, { ...first, familyIds, pausedFrom }, now())
      },
    },
    settle_reports: { run: ({ workspaceId }) => settleWorkspace(db, { workspaceId, now: now() }) },
    release_incidents: { run: ({ workspaceId }) => releaseIncidents(db, now(), { workspaceId }) },
    renew_version_keys: { run: () => renewVersionKeys(db, { now: now(), log: deps.log }) },
    purge_family: { run: (payload) => purgeFamily(db, payload) },
    fetch_subscription: {
      run: async (payload) => {
        if (stripe !== null) await fetchSubscription(db, { ...payload, stripe, now: now() })
      },
    },
    end_subscription: { run: async ({ subscriptionId }) => stripe?.endSubscription(subscriptionId) },
    delete_workspace: { run: (payload) => deleteWorkspaceRows(db, { ...payload, now: now() }) },
    erase_originals: { run: (payload) => eraseOriginals(db, { ...payload, originals, log, now: now() }) },
    refresh_source: {
      run: (payload) => refreshSource(deps, { ...payload, now: now() }),
      giveUp: (payload) => giveUpRefresh(deps, { ...payload, now: now() }),
    },
    emit_event: { run: (payload) => emitEvent(db, payload, now()) },
    send_mail: { run: (payload) => sendNotice(db, payload, now()) },
    send_letter: { run: (payload) => insertLetter(db, payload, now()) },
    reset_password: { run: (payload) => sendReset({ db, sealing }, payload, now()) },
    mail_reporter: { run: (payload) => mailReporter(reporterMail, payload) },
  }
}

async function deleteWorkspaceRows(
  db: Db,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<void> {
  await deleteRows(db, workspaceId)
  await db.transaction().execute((tx) => enqueueErasure(tx, workspaceId, now))
}

async function purgeFamily(
  db: Db,
  { workspaceId, familyId }: { workspaceId: string; familyId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await purgeFamilyDays(tx, workspaceId, familyId)
    await purgeFamilyFindings(tx, workspaceId, familyId)
    await purgeFamilyVex(tx, workspaceId, familyId)
    await purgeFamilySboms(tx, workspaceId, familyId)
  })
}
