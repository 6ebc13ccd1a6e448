import { Type, type Static } from 'typebox'
import { alertTypes, destinationKinds } from '../contract/alerts/shapes.ts'
import { plans } from '../contract/workspace/plans.ts'
import { roles } from '../contract/roles.ts'

const strict = { additionalProperties: false }
const time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

const Token = Type.Object(
  {
    id: Type.Optional(Type.String()),
    name: Type.String(),
    kind: Type.Optional(Type.Enum(['upload', 'results'])),
    expiresAt: Type.Optional(time),
    token: Type.Optional(Type.String()),
  },
  strict,
)

const WorkspaceToken = Type.Object(
  {
    id: Type.Optional(Type.String()),
    name: Type.String(),
    access: Type.Literal('manage_destinations'),
    expiresAt: Type.Optional(time),
    token: Type.Optional(Type.String()),
  },
  strict,
)

const Member = Type.Object(
  {
    id: Type.Optional(Type.String()),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum([...roles]),
    password: Type.Optional(Type.String()),
  },
  strict,
)

const Family = Type.Object(
  {
    id: Type.Optional(Type.String()),
    name: Type.String(),
    versions: Type.Optional(Type.Array(Type.String())),
    archived: Type.Optional(Type.Boolean()),
    tokens: Type.Optional(Type.Array(Token)),
  },
  strict,
)

/** Found by name; `secret` only of a webhook that this run has made. */
const Destination = Type.Object(
  {
    id: Type.Optional(Type.String()),
    name: Type.String(),
    kind: Type.Enum([...destinationKinds]),
    url: Type.String(),
    events: Type.Array(Type.Enum([...alertTypes])),
    enabled: Type.Optional(Type.Boolean()),
    secret: Type.Optional(Type.String()),
  },
  strict,
)

const Disclosure = Type.Object(
  {
    publicContactEmail: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    canonicalUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    policyDays: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  },
  strict,
)

const Workspace = Type.Object(
  {
    id: Type.Optional(Type.String()),
    slug: Type.String(),
    companyName: Type.String(),
    securityContactEmail: Type.String(),
    timeZone: Type.Optional(Type.String()),
    plan: Type.Enum([...plans, 'closed']),
    members: Type.Optional(Type.Array(Member)),
    families: Type.Optional(Type.Array(Family)),
    tokens: Type.Optional(Type.Array(WorkspaceToken)),
    destinations: Type.Optional(Type.Array(Destination)),
    disclosure: Type.Optional(Disclosure),
  },
  strict,
)

/**
 * What `provision` reads from standard input and prints again: workspaces by slug, members by e-mail, families, versions and
 * tokens by name. Ids are filled in; `token` only for tokens that this run has made.
 */
export const ProvisionDocument = Type.Object({ workspaces: Type.Array(Workspace) }, strict)

export type ProvisionDocument = Static<typeof ProvisionDocument>
export type ProvisionWorkspace = Static<typeof Workspace>
export type ProvisionFamily = Static<typeof Family>
