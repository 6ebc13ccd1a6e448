import type { AlertFact } from './contract/alerts/events.ts'
import type { LetterJob } from './contract/notices/letters.ts'
import type { Audience, NoticeJob } from './contract/notices/shapes.ts'

type JobSettings = {
  attempts: number
  /** The field of the payload that names the part of a workspace whose waiting jobs are done in one run. */
  together?: string
  /**
   * The field of the payload that names the part of a workspace. A run takes some of its waiting jobs along, to look for work less often. Other
   * runs may be at work on the part meanwhile.
   */
  along?: string
  /** A kind. The job waits for the running jobs of that kind in its workspace that were enqueued before it: it tells what they find. */
  behind?: string
  /** How long its runs may wait for hosts of others: they take no place from the other kinds, and those of hours none from those of minutes. */
  waits?: Wait
}

export const waits = ['minutes', 'hours'] as const
export type Wait = (typeof waits)[number]

/**
 * The catalogue of background jobs: the only way in which an earlier room triggers a later one.
 * A job is enqueued in the transaction of the change that causes it and may run more than once.
 */
export const jobKinds = {
  /**
   * Match the identities that are new with this SBOM, then work out its findings. Key: the SBOM. SBOMs of a family that wait together
   * are matched in one run.
   */
  match_sbom: { attempts: 5, together: 'familyId' },
  /** Recalculate the findings of one family's active SBOMs. Key: the family. */
  refresh_findings: { attempts: 5, along: 'workspaceId' },
  /** Match the identities on package keys whose records changed, then refresh the families that use them. */
  match_packages: { attempts: 5 },
  /** Refresh the families with a component that has a digest which malware records state now or no longer. */
  match_digests: { attempts: 5 },
  /**
   * Tell members of malware in products of a workspace, in one notice: one record reaches many products. Key: the workspace. The refreshes of
   * one change are enqueued before it, and so are done before it.
   */
  tell_malware: { attempts: 10, behind: 'refresh_findings' },
  /** Update which catalogues list each open finding, after a catalogue changed. Key: `all`. */
  refresh_exploited: { attempts: 5 },
  /**
   * Open incidents for exploited exact matches of a family, and keep what held others back. Key: the family. Families of a workspace that
   * wait together are looked at in one run.
   */
  open_incidents: { attempts: 5, together: 'workspaceId' },
  /** Recalculate the clocks of a workspace's open incidents, after its time zone changed. Key: the workspace. */
  settle_reports: { attempts: 5 },
  /** Take a workspace's open incidents from assignees who left or may only read. Key: the workspace. */
  release_incidents: { attempts: 5 },
  /** Recompute version keys of an earlier release, then match their identities. Key: `all`. */
  renew_version_keys: { attempts: 5 },
  /** Remove what a deleted family leaves behind. Key: the family. */
  purge_family: { attempts: 5 },
  /** Ask the payment provider for the state of a subscription, and put its workspace on the plan that follows. Key: the subscription. */
  fetch_subscription: { attempts: 10, waits: 'minutes' },
  /** Have a subscription end with its period, because its workspace was closed. Key: the subscription. */
  end_subscription: { attempts: 10, waits: 'minutes' },
  /** Remove what a deleted workspace leaves behind. Key: the workspace. */
  delete_workspace: { attempts: 10 },
  /** Erase from the object store what nothing names any more, and record that it is gone. Key: the workspace. */
  erase_originals: { attempts: 10, waits: 'minutes' },
  /** Fetch one source of vulnerability data. Key: the source. */
  refresh_source: { attempts: 1, waits: 'hours' },
  /** Make the deliveries of something that happened, and tell the members. */
  emit_event: { attempts: 10 },
  /** Tell members in the bell and by mail of something that destinations are not told. */
  send_mail: { attempts: 10 },
  /** Send mail to an address, whoever is behind it. */
  send_letter: { attempts: 10 },
  /** Send the link that sets another password, where the address has an account. */
  reset_password: { attempts: 10 },
  /** Tell the reporter of a vulnerability by mail that the status page has something new: for a day, as other messages. */
  mail_reporter: { attempts: 150, waits: 'minutes' },
} as const satisfies Record<string, JobSettings>

export type JobKind = keyof typeof jobKinds

export function isJobKind(text: string): text is JobKind {
  return Object.hasOwn(jobKinds, text)
}

export type JobPayload = {
  /**
   * One that an earlier release enqueued names no family, and runs alone. `tokenId`: whose upload it was, for the log.
   */
  match_sbom: { workspaceId: string; familyId?: string; sbomId: string; tokenId?: string | null }
  /** `pausedFrom`: since when the workspace was read-only, where that has ended. */
  refresh_findings: { workspaceId: string; familyId: string; pausedFrom?: string }
  /** `mergedGroups`: findings of the group `from` belong to the group `into` now. */
  match_packages: { packageKeys: string[]; mergedGroups?: { from: number; into: number }[] }
  match_digests: { digests: string[] }
  /** `family:…`: the ids of the families, each a field of its own, so that those of jobs that wait together add up. */
  tell_malware: { workspaceId: string; [family: `family:${string}`]: string }
  refresh_exploited: Record<string, never>
  /** `pausedFrom`: since when the workspace was read-only, where that has ended. */
  open_incidents: { workspaceId: string; familyId: string; pausedFrom?: string }
  settle_reports: { workspaceId: string }
  release_incidents: { workspaceId: string }
  renew_version_keys: Record<string, never>
  purge_family: { workspaceId: string; familyId: string }
  fetch_subscription: { subscriptionId: string }
  end_subscription: { subscriptionId: string }
  delete_workspace: { workspaceId: string }
  erase_originals: { workspaceId: string }
  refresh_source: { source: string }
  /** `eventId`: of what happened, the same however often the job runs. */
  emit_event: { workspaceId: string; eventId: string; fact: AlertFact } & Audience
  send_mail: NoticeJob
  send_letter: LetterJob
  /** `linkId`: of the link, the same however often the job runs. */
  reset_password: { email: string; address: string; requestId: string; linkId: string }
  /** `mailId`: of the message, the same however often the job runs. */
  mail_reporter: { workspaceId: string; reportId: string; cause: 'received' | 'news'; mailId: string }
}

/** What jobs of a kind have in common that are done together; undefined: each is done alone. */
export function togetherBy(kind: JobKind): string | undefined {
  const settings: JobSettings = jobKinds[kind]
  return settings.together
}

/** What waiting jobs have in common that a run of the kind takes along; undefined: it takes none. */
export function alongBy(kind: JobKind): string | undefined {
  const settings: JobSettings = jobKinds[kind]
  return settings.along
}

/** The kind whose earlier runs in the workspace a job of this kind waits for; undefined: it waits for none. */
export function behindOf(kind: JobKind): string | undefined {
  const settings: JobSettings = jobKinds[kind]
  return settings.behind
}

/** How long runs of a kind may wait for hosts of others; undefined: for none. */
export function waitOf(kind: JobKind): Wait | undefined {
  const settings: JobSettings = jobKinds[kind]
  return settings.waits
}

/** Runs before every other kind: a legal duty to report waits for it, and it would otherwise queue behind all the refreshes of a data change. */
export const urgentKind = 'open_incidents' satisfies JobKind
