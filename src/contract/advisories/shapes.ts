import type { IncidentReference } from '../incidents/reference.ts'
import { Type, type Static } from 'typebox'
import { catalogues } from '../findings/shapes.ts'
import { justifications, verdicts } from '../vex/shapes.ts'

/** Who may read an advisory (TLP 1, https://www.first.org/tlp/), the most open first; only WHITE is public. */
export const tlpLabels = ['WHITE', 'GREEN', 'AMBER', 'RED'] as const
export type Tlp = (typeof tlpLabels)[number]

/** How far a draft is; publishing needs none of them. */
export const draftStates = ['draft', 'in_review', 'approved'] as const
export type DraftState = (typeof draftStates)[number]

/** An update says something new, a correction mends what was said; the first publication is neither. */
export const publicationKinds = ['first', 'update', 'correction'] as const
export type PublicationKind = (typeof publicationKinds)[number]

/** What users of affected products can do, from the best remedy to none (CSAF 2.0, 3.2.3.12.1). */
export const remediationCategories = [
  'vendor_fix',
  'mitigation',
  'workaround',
  'no_fix_planned',
  'none_available',
] as const
export type RemediationCategory = (typeof remediationCategories)[number]

/** What has to be restarted for a remediation to work, from nothing to everything (CSAF 2.0, 3.2.3.12.7). */
export const restartCategories = [
  'none',
  'vulnerable_component',
  'service',
  'parent',
  'dependencies',
  'connected',
  'system',
  'machine',
  'zone',
] as const
export type RestartCategory = (typeof restartCategories)[number]

/** How grave an advisory is as a whole, in the words of CVSS, the gravest first. */
export const advisorySeverities = ['critical', 'high', 'medium', 'low'] as const
export type AdvisorySeverity = (typeof advisorySeverities)[number]

/** As documents write them. */
export const advisorySeverityNames: Record<AdvisorySeverity, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
}

/** What an advisory can be linked with. */
export const advisoryLinkKinds = ['incident', 'inbox_report'] as const
export type AdvisoryLinkKind = (typeof advisoryLinkKinds)[number]

/** Limits of a draft; characters are Unicode code points. */
export const advisoryLimits = {
  lineCharacters: 500,
  textCharacters: 20_000,
  urlCharacters: 2_000,
  trackingIdCharacters: 64,
  products: 400,
  vulnerabilities: 100,
  entries: 100,
} as const

const line = Type.String()
const id = Type.String({ format: 'uuid' })
const optionalLine = Type.Optional(line)
const entries = { maxItems: advisoryLimits.entries }
const closed = { additionalProperties: false }

const Reference = Type.Object({ summary: line, url: line }, closed)

const StatusRow = Type.Object(
  {
    versionId: id,
    status: Type.Enum([...verdicts]),
    /** Why it is not affected, in one of the words of CSAF; null: none. */
    justification: Type.Union([Type.Enum([...justifications]), Type.Null()]),
    /** Why it is not affected, in a text. */
    impact: line,
  },
  closed,
)

const Remediation = Type.Object(
  {
    category: Type.Enum([...remediationCategories]),
    details: line,
    url: line,
    versionIds: Type.Array(id, { maxItems: advisoryLimits.products }),
    /** Since when there is it: `2026-01-31`. */
    date: optionalLine,
    restart: Type.Optional(Type.Union([Type.Enum([...restartCategories]), Type.Null()])),
  },
  closed,
)

const Score = Type.Object(
  {
    /** Of CVSS 2.0, 3.0 or 3.1: CSAF 2.0 has no place for version 4. */
    vector: line,
    /** None: every version that is affected or under investigation. */
    versionIds: Type.Array(id, { maxItems: advisoryLimits.products }),
  },
  closed,
)

const Acknowledgment = Type.Object(
  { names: Type.Array(line, entries), organization: line, summary: line, urls: Type.Array(line, entries) },
  closed,
)

const DraftVulnerability = Type.Object(
  {
    /** Empty: it has none. */
    cve: line,
    ids: Type.Array(Type.Object({ system: line, text: line }, closed), entries),
    title: line,
    description: line,
    statuses: Type.Array(StatusRow, { maxItems: advisoryLimits.products }),
    remediations: Type.Array(Remediation, entries),
    /** Catalogues that list it as exploited; `listedOn`: `2026-01-31`. */
    exploits: Type.Array(
      Type.Object({ catalogue: Type.Enum([...catalogues]), listedOn: line }, closed),
      entries,
    ),
    references: Type.Array(Reference, entries),
    // what drafts of earlier releases do not have
    scores: Type.Optional(Type.Array(Score, entries)),
    /** Its id, such as `CWE-79`; the catalogue has its name. */
    cwe: optionalLine,
    /** Days: when it was found, and when it became public. */
    discoveredOn: optionalLine,
    disclosedOn: optionalLine,
    acknowledgments: Type.Optional(Type.Array(Acknowledgment, entries)),
  },
  closed,
)
export type DraftVulnerability = Static<typeof DraftVulnerability>

/**
 * A product version of the document, by the names it had when the draft was saved; or a range of versions, which has an id of its own and
 * the range (`vers:semver/>=1.0.0|<2.0.0`) where a version has its name.
 */
const DraftProduct = Type.Object(
  {
    versionId: id,
    familyId: id,
    family: line,
    version: line,
    isRange: Type.Optional(Type.Boolean()),
    /** What tools know it by. Absent: what the version's SBOM says of its main component. */
    purl: optionalLine,
    cpe: optionalLine,
  },
  closed,
)
export type DraftProduct = Static<typeof DraftProduct>

/** What a person writes in the editor; all texts are plain text in English. */
export const AdvisoryContent = Type.Object(
  {
    title: line,
    /** A note on the whole document; empty: none. */
    summary: line,
    tlp: Type.Enum([...tlpLabels]),
    products: Type.Array(DraftProduct, { maxItems: advisoryLimits.products }),
    vulnerabilities: Type.Array(DraftVulnerability, { maxItems: advisoryLimits.vulnerabilities }),
    references: Type.Array(Reference, entries),
    acknowledgments: Type.Array(Acknowledgment, entries),
    severity: Type.Optional(Type.Union([Type.Enum([...advisorySeverities]), Type.Null()])),
    /** Notes on the whole document. Absent in a new draft: the workspace's own. */
    generalNote: optionalLine,
    legalNote: optionalLine,
  },
  closed,
)
export type AdvisoryContent = Static<typeof AdvisoryContent>

/** Why a document cannot be published, or what would make it better. */
export type AdvisoryProblem = {
  /** The field of the draft, as a path: `vulnerabilities.0.cve`; null: it belongs to none. */
  field: string | null
  message: string
  /** The test of CSAF 2.0 that it fails, and where in the document; null: found in the draft itself. */
  test: string | null
  pointer: string | null
}

/** The document as it would be published now. */
export type AdvisoryPreview = {
  /** The document's bytes. */
  json: string
  /** The readable page. */
  page: string
  /** What keeps it from being published, at most 100 of `problemsTotal`. */
  problems: AdvisoryProblem[]
  problemsTotal: number
  /** What the optional and informative tests of CSAF 2.0 find, which keeps nothing from being published; null: ask again in a moment. */
  advice: AdvisoryProblem[] | null
}

export type AdvisoryVersionRow = {
  number: string
  kind: PublicationKind
  tlp: Tlp
  title: string
  summary: string
  releasedAt: string
  publishedBy: string
  sha256: string
}

export type AdvisoryRow = {
  id: string
  trackingId: string
  /** Of the draft, else of what is published. */
  title: string
  tlp: Tlp
  severity: AdvisorySeverity | null
  /** What is published; null: nothing yet. */
  published: { number: string; tlp: Tlp; releasedAt: string } | null
  /** What is being worked on; null: nothing. */
  draft: { state: DraftState; editedAt: string; editedBy: string } | null
  vulnerabilities: string[]
}

export type AdvisoryList = {
  rows: AdvisoryRow[]
  nextCursor: string | null
  total: number
  /** Published advisories whose publisher is no longer what the workspace says of itself. */
  outdated: { count: number; withDraft: number }
  feed: { metadataUrl: string; pagesUrl: string; isEncrypted: boolean; namespace: string }
}

export type AdvisoryDraft = {
  revision: number
  state: DraftState
  content: AdvisoryContent
  editedAt: string
  editedBy: string
  /** The person who asks changed it last. */
  isOwn: boolean
}

export type AdvisoryLinkRow =
  | { kind: 'incident'; id: string; reference: IncidentReference }
  | { kind: 'inbox_report'; id: string; number: number }

export type AdvisoryDetail = {
  id: string
  trackingId: string
  createdAt: string
  createdBy: string
  draft: AdvisoryDraft | null
  /** The newest first. */
  versions: AdvisoryVersionRow[]
  /** Of the version in force, in the feed; null unless it is TLP:WHITE. */
  publicUrls: { page: string; document: string } | null
  /** What it was made from. Reports are named to those who see the inbox. */
  links: AdvisoryLinkRow[]
  /** What the next version would be called. */
  nextNumbers: { update: string; correction: string }
  secondPersonPublishes: boolean
}

/** The notes are those that a new draft begins with. */
export type AdvisorySettings = {
  trackingPrefix: string
  secondPersonPublishes: boolean
  generalNote: string
  legalNote: string
}

/** What an advisory is begun with, and what it is linked with then. */
export type AdvisoryBeginning = {
  content: AdvisoryContent
  links: { kind: AdvisoryLinkKind; objectId: string }[]
}

/** Families with their versions, the newest first. */
export type AdvisoryProducts = {
  families: { id: string; name: string; versions: AdvisoryProductVersion[] }[]
}

/** `purl` and `cpe`: what its SBOM calls its main component; empty: nothing that can be read. */
type AdvisoryProductVersion = {
  id: string
  name: string
  isRetired: boolean
  purl: string
  cpe: string
}

/** A weakness of the CWE catalogue (https://cwe.mitre.org). */
export type Weakness = { id: string; name: string }
