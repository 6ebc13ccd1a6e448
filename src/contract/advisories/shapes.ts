import { Type, type Static } from 'typebox'
import { IncidentReference } from '../incidents/reference.ts'
import { catalogues } from '../findings/shapes.ts'
import { justifications, verdicts } from '../vex/shapes.ts'
import { nullable, time, Named } from '../schema.ts'
import { remediationCategories } from './words.ts'

export { remediationCategories, type RemediationCategory } from './words.ts'

/** Who may read an advisory (TLP 1, https://www.first.org/tlp/), the most open first; only WHITE is public. */
export const tlpLabels = ['WHITE', 'GREEN', 'AMBER', 'RED'] as const
export type Tlp = (typeof tlpLabels)[number]

/** How far a draft is; publishing needs none of them. */
export const draftStates = ['draft', 'in_review', 'approved'] as const
export type DraftState = (typeof draftStates)[number]

/** An update says something new, a correction fixes what was said; the first publication is neither. */
export const publicationKinds = ['first', 'update', 'correction'] as const
export type PublicationKind = (typeof publicationKinds)[number]

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

/** The severity of an advisory as a whole, in the words of CVSS, the most severe first. */
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
    status: Type.Enum(verdicts),
    /** Why it is not affected, in one of the words of CSAF; null: none. */
    justification: nullable(Type.Enum(justifications)),
    /** Why it is not affected, as text. */
    impact: line,
  },
  closed,
)

const Remediation = Type.Object(
  {
    category: Type.Enum(remediationCategories),
    details: line,
    url: line,
    versionIds: Type.Array(id, { maxItems: advisoryLimits.products }),
    /** When it became available: `2026-01-31`. */
    date: optionalLine,
    restart: Type.Optional(nullable(Type.Enum(restartCategories))),
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
    exploits: Type.Array(Type.Object({ catalogue: Type.Enum(catalogues), listedOn: line }, closed), entries),
    references: Type.Array(Reference, entries),
    // drafts of earlier releases lack these
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
    /** The identifiers that tools know it by. Absent: those that the version's SBOM gives its main component. */
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
    tlp: Type.Enum(tlpLabels),
    products: Type.Array(DraftProduct, { maxItems: advisoryLimits.products }),
    vulnerabilities: Type.Array(DraftVulnerability, { maxItems: advisoryLimits.vulnerabilities }),
    references: Type.Array(Reference, entries),
    acknowledgments: Type.Array(Acknowledgment, entries),
    severity: Type.Optional(nullable(Type.Enum(advisorySeverities))),
    /** Notes on the whole document. Absent in a new draft: the workspace's own. */
    generalNote: optionalLine,
    legalNote: optionalLine,
  },
  closed,
)
export type AdvisoryContent = Static<typeof AdvisoryContent>

/** Why a document cannot be published, or what would make it better. */
export const AdvisoryProblem = Type.Object({
  /** The field of the draft, as a path: `vulnerabilities.0.cve`; null: it belongs to none. */
  field: nullable(Type.String()),
  message: Type.String(),
  /** The test of CSAF 2.0 that it fails, and where in the document; null: found in the draft itself. */
  test: nullable(Type.String()),
  pointer: nullable(Type.String()),
})
export type AdvisoryProblem = Static<typeof AdvisoryProblem>

/** The document as it would be published now. */
export const AdvisoryPreview = Type.Object({
  /** The document's bytes. */
  json: Type.String(),
  /** The readable page. */
  page: Type.String(),
  /** What prevents its publication, at most 100 of `problemsTotal`. */
  problems: Type.Array(AdvisoryProblem),
  problemsTotal: Type.Number(),
  /** What the optional and informative tests of CSAF 2.0 find, which does not prevent publication; null: ask again in a moment. */
  advice: nullable(Type.Array(AdvisoryProblem)),
})
export type AdvisoryPreview = Static<typeof AdvisoryPreview>

export const AdvisoryVersionRow = Type.Object({
  number: Type.String(),
  kind: Type.Enum(publicationKinds),
  tlp: Type.Enum(tlpLabels),
  title: Type.String(),
  summary: Type.String(),
  releasedAt: time,
  publishedBy: Type.String(),
  sha256: Type.String(),
})
export type AdvisoryVersionRow = Static<typeof AdvisoryVersionRow>

export const AdvisoryRow = Type.Object({
  id: Type.String(),
  trackingId: Type.String(),
  /** Of the draft, else of what is published. */
  title: Type.String(),
  tlp: Type.Enum(tlpLabels),
  severity: nullable(Type.Enum(advisorySeverities)),
  /** What is published; null: nothing yet. */
  published: nullable(Type.Object({ number: Type.String(), tlp: Type.Enum(tlpLabels), releasedAt: time })),
  /** What is being worked on; null: nothing. */
  draft: nullable(Type.Object({ state: Type.Enum(draftStates), editedAt: time, editedBy: Type.String() })),
  vulnerabilities: Type.Array(Type.String()),
})
export type AdvisoryRow = Static<typeof AdvisoryRow>

export const AdvisoryList = Type.Object({
  rows: Type.Array(AdvisoryRow),
  nextCursor: nullable(Type.String()),
  total: Type.Number(),
  /** Published advisories whose publisher is no longer what the workspace says of itself. */
  outdated: Type.Object({ count: Type.Number(), withDraft: Type.Number() }),
  feed: Type.Object({
    metadataUrl: Type.String(),
    pagesUrl: Type.String(),
    isEncrypted: Type.Boolean(),
    namespace: Type.String(),
  }),
})
export type AdvisoryList = Static<typeof AdvisoryList>

export const AdvisoryDraft = Type.Object({
  revision: Type.Number(),
  state: Type.Enum(draftStates),
  content: AdvisoryContent,
  editedAt: time,
  editedBy: Type.String(),
  /** The asking person changed it last. */
  isOwn: Type.Boolean(),
})
export type AdvisoryDraft = Static<typeof AdvisoryDraft>

export const AdvisoryLinkRow = Type.Union([
  Type.Object({ kind: Type.Literal('incident'), id: Type.String(), reference: IncidentReference }),
  Type.Object({
    kind: Type.Literal('inbox_report'),
    id: Type.String(),
    number: Type.Number(),
    /** The day before which nothing is to be published, as agreed with the reporter. */
    embargoUntil: nullable(Type.String()),
  }),
])
export type AdvisoryLinkRow = Static<typeof AdvisoryLinkRow>

export const AdvisoryDetail = Type.Object({
  id: Type.String(),
  trackingId: Type.String(),
  createdAt: time,
  createdBy: Type.String(),
  draft: nullable(AdvisoryDraft),
  /** The newest first. */
  versions: Type.Array(AdvisoryVersionRow),
  /** Of the version in force, in the feed; null unless it is TLP:WHITE. */
  publicUrls: nullable(Type.Object({ page: Type.String(), document: Type.String() })),
  /** What it was made from. Reports are named to those who see the inbox. */
  links: Type.Array(AdvisoryLinkRow),
  /** What the next version would be called. */
  nextNumbers: Type.Object({ update: Type.String(), correction: Type.String() }),
  secondPersonPublishes: Type.Boolean(),
})
export type AdvisoryDetail = Static<typeof AdvisoryDetail>

/** The notes are those that a new draft begins with. */
export const AdvisorySettings = Type.Object({
  trackingPrefix: Type.String(),
  secondPersonPublishes: Type.Boolean(),
  generalNote: Type.String(),
  legalNote: Type.String(),
})
export type AdvisorySettings = Static<typeof AdvisorySettings>

/** What a new advisory starts with, and what it is then linked with. */
export const AdvisoryBeginning = Type.Object({
  content: AdvisoryContent,
  links: Type.Array(Type.Object({ kind: Type.Enum(advisoryLinkKinds), objectId: Type.String() })),
})
export type AdvisoryBeginning = Static<typeof AdvisoryBeginning>

/** `purl` and `cpe`: of the main component, in its SBOM; empty: none that can be read. */
const AdvisoryProductVersion = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isRetired: Type.Boolean(),
  purl: Type.String(),
  cpe: Type.String(),
})

/** Families with their versions, the newest first. */
export const AdvisoryProducts = Type.Object({
  families: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), versions: Type.Array(AdvisoryProductVersion) }),
  ),
})
export type AdvisoryProducts = Static<typeof AdvisoryProducts>

/** A weakness of the CWE catalogue (https://cwe.mitre.org). */
export const Weakness = Named
export type Weakness = Static<typeof Weakness>
