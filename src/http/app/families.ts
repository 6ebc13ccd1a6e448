import type { FastifyInstance } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Page, SbomRow } from '../../contract/app.ts'
import {
  archiveFamily,
  deleteFamily,
  renameFamily,
  restoreFamily,
} from '../../workspace/families/change-family.ts'
import { createFamily } from '../../workspace/families/create-family.ts'
import { selectFamily } from '../../workspace/families/select-families.ts'
import { restoreVersion, retireVersion, setCurrentVersion } from '../../workspace/versions.ts'
import { listSboms } from '../../sbom/list-sboms.ts'
import { describeFamily, listFamilies } from './family-overview.ts'
import { idParameter, member, memberWho, queryValue, queryWord, type AppDeps } from './member.ts'

const NameBody = Type.Object({ name: Type.String({ maxLength: 500 }) })
const ConfirmBody = Type.Object({ confirmName: Type.String({ maxLength: 500 }) })

const family = '/workspaces/:slug/families/:family'

/** Product families and their versions. */
export function registerFamilies(app: FastifyInstance, deps: AppDeps): void {
  app.get('/workspaces/:slug/families', async (request) => {
    const { workspaceId } = await member(deps, request)
    const archived = queryWord(request, 'archived', ['true', 'false']) === 'true'
    return { families: await listFamilies(deps.db, workspaceId, { archived }) }
  })

  app.post<{ Body: Static<typeof NameBody> }>(
    '/workspaces/:slug/families',
    { schema: { body: NameBody } },
    async (request, reply) => {
      const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
      return reply
        .code(201)
        .send(await createFamily(deps.db, { workspaceId, name: request.body.name, actor, now }))
    },
  )

  app.get(family, async (request) => {
    const { workspaceId } = await member(deps, request)
    return describeFamily(deps.db, workspaceId, idParameter(request, 'family'))
  })

  app.patch<{ Body: Static<typeof NameBody> }>(
    family,
    { schema: { body: NameBody } },
    async (request, reply) => {
      const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
      const familyId = idParameter(request, 'family')
      await renameFamily(deps.db, { workspaceId, familyId, actor, now, name: request.body.name })
      return reply.code(204).send()
    },
  )

  app.delete<{ Body: Static<typeof ConfirmBody> }>(
    family,
    { schema: { body: ConfirmBody } },
    async (request, reply) => {
      const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
      const familyId = idParameter(request, 'family')
      const { confirmName } = request.body
      await deleteFamily(deps.db, { workspaceId, familyId, actor, now, confirmName })
      return reply.code(204).send()
    },
  )

  app.get(`${family}/sboms`, async (request): Promise<Page<SbomRow>> => {
    const { workspaceId } = await member(deps, request)
    const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
    return listSboms(deps.db, { workspaceId, familyId, cursor: queryValue(request, 'cursor') })
  })

  registerActs(app, deps)
}

const familyActs = { archive: archiveFamily, restore: restoreFamily }
const versionActs = { retire: retireVersion, restore: restoreVersion, 'make-current': setCurrentVersion }

/** Acts without a body, each at an address that names it. */
function registerActs(app: FastifyInstance, deps: AppDeps): void {
  for (const [name, act] of Object.entries(familyActs)) {
    app.post(`${family}/${name}`, async (request, reply) => {
      const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
      await act(deps.db, { workspaceId, familyId: idParameter(request, 'family'), actor, now })
      return reply.code(204).send()
    })
  }
  for (const [name, act] of Object.entries(versionActs)) {
    app.post(`${family}/versions/:version/${name}`, async (request, reply) => {
      const { workspaceId, actor, now } = await memberWho(deps, request, 'edit_versions')
      const familyId = idParameter(request, 'family')
      await act(deps.db, { workspaceId, familyId, versionId: idParameter(request, 'version'), actor, now })
      return reply.code(204).send()
    })
  }
}
