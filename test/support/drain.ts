import pino from 'pino'
import { expect } from 'vitest'
import { insertLetter } from '../../src/notices/mail/insert-mails.ts'
import { emitEvent } from '../../src/alerts/deliveries/emit.ts'
import { sendNotice } from '../../src/notices/tell-members.ts'
import type { Db } from '../../src/database/connection.ts'
import type { JobKind } from '../../src/jobs.ts'
import { matchDigests } from '../../src/sbom/components/match-digests.ts'
import { matchPackages } from '../../src/findings/changes/match-packages.ts'
import { giveUpSbom, matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { tellMalware } from '../../src/findings/refresh/tell-malware.ts'
import { deleteRows } from '../../src/workspace/closing/delete-rows.ts'
import { followGroups } from '../../src/incidents/openings/follow-groups.ts'
import { openIncidents } from '../../src/incidents/openings/open-incidents.ts'
import { settleWorkspace } from '../../src/incidents/reports/settle-workspace.ts'
import { releaseIncidents } from '../../src/incidents/record/release-incidents.ts'
import { sendReset } from '../../src/people/reset-password.ts'
import { drainQueue } from '../../src/queue/drain-queue.ts'
import type { Tasks } from '../../src/queue/run-next.ts'
import { testSealing } from './http.ts'

/** Runs every pending job of matching, and those they enqueue; none may fail. Those of the kinds `later` stay. */
export async function drain(db: Db, now: Date, later: readonly JobKind[] = []): Promise<void> {
  const tasks: Omit<Tasks, 'purge_family' | 'refresh_source' | 'renew_version_keys'> = {
    match_sbom: {
      run: (payload) => matchSbom(db, { ...payload, now }),
      giveUp: (payload) => giveUpSbom(db, { ...payload, now }),
    },
    match_packages: {
      run: async (payload) => {
        await matchPackages(db, { ...payload, now })
        await followGroups(db, payload.mergedGroups ?? [])
      },
    },
    match_digests: { run: (payload) => matchDigests(db, { ...payload, now }) },
    refresh_findings: { run: (payload) => refreshFamilyFindings(db, { ...payload, now }) },
    tell_malware: { run: (payload) => tellMalware(db, payload, now) },
    refresh_exploited: { run: () => refreshExploited(db, now) },
    open_incidents: {
      run: ({ workspaceId, familyId, pausedFrom }) =>
        openIncidents(db, { workspaceId, familyIds: [familyId], pausedFrom }, now),
    },
    settle_reports: { run: ({ workspaceId }) => settleWorkspace(db, { workspaceId, now }) },
    release_incidents: { run: ({ workspaceId }) => releaseIncidents(db, now, { workspaceId }) },
    emit_event: { run: (payload) => emitEvent(db, payload, now) },
    send_mail: { run: (payload) => sendNotice(db, payload, now) },
    fetch_subscription: { run: () => Promise.resolve() },
    delete_workspace: { run: ({ workspaceId }) => deleteRows(db, workspaceId) },
    // originals are in the database; test/originals runs erasures itself
    erase_originals: { run: () => Promise.resolve() },
    end_subscription: { run: () => Promise.resolve() },
    send_letter: { run: (payload) => insertLetter(db, payload, now) },
    reset_password: { run: (payload) => sendReset({ db, sealing: testSealing }, payload, now) },
    // there is no mail server; test/disclosure sends these itself
    mail_reporter: { run: () => Promise.resolve() },
  }
  const others: JobKind[] = ['purge_family', 'refresh_source', ...later]
  const worker = {
    db,
    queue: db,
    now: () => now,
    log: pino({ level: 'silent' }),
    tasks: tasks as Tasks,
    name: 'test',
  }
  await drainQueue(worker, { except: others })
  const failed = await db
    .selectFrom('job')
    .select(['kind', 'last_error'])
    .where('state', '=', 'failed')
    .execute()
  expect(failed).toEqual([])
}
