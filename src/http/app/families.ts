import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import {
  familySorts,
  type FamilyDetail,
  type FamilyName,
  type FamilyPage,
  type Page,
  type SbomRow,
} from '../../contract/app.ts'
import type { FamilyHistoryDay } from '../../contract/inventory.ts'
import { selectFamilyHistory } from '../../views/findings/family-history.ts'
import { listSboms } from '../../sbom/list-sboms.ts'
import {
  archiveFamily,
  deleteFamily,
  renameFamily,
  restoreFamily,
} from '../../workspace/families/change-family.ts'
import { createFamily } from '../../workspace/families/create-family.ts'
import { selectFamily, selectFamilyNames } from '../../workspace/families/select-families.ts'
import { restoreVersion, retireVersion, setCurrentVersion } from '../../workspace/versions.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { describeFamily, listFamilies } from './family-overview.ts'
import { idParameter, member, memberWho, queryValue, queryWord } from './member.ts'

const NameBody = Type.Object({ name: Type.String({ maxLength: 500 }) })
const ConfirmBody = Type.Object({ confirmName: Type.String({ maxLength: 500 }) })

async function getFamilies(deps: HttpDeps, request: FastifyRequest): Promise<FamilyPage> {
  const { workspaceId } = await member(deps, request)
  const archived = queryWord(request, 'archived', ['true', 'false']) === 'true'
  return listFamilies(deps.db, {
    workspaceId,
    archived,
    search: queryValue(request, 'search'),
    sort: queryWord(request, 'sort', familySorts) ?? 'name',
    cursor: queryValue(request, 'cursor'),
  })
}

async function getFamilyNames(deps: HttpDeps, request: FastifyRequest): Promise<{ families: FamilyName[] }> {
  const { workspaceId } = await member(deps, request)
  const families = await selectFamilyNames(deps.db, workspaceId)
  return {
    families: families.map(({ lastUploadAt, ...family }) => ({
      ...family,
      lastUploadAt: lastUploadAt?.toISOString() ?? null,
    })),
  }
}

async function postFamily(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
  const { name } = request.body as Static<typeof NameBody>
  return reply.code(201).send(await createFamily(deps.db, { workspaceId, name, actor, now }))
}

async function getFamily(deps: HttpDeps, request: FastifyRequest): Promise<FamilyDetail> {
  const { workspaceId } = await member(deps, request)
  return describeFamily(deps.db, workspaceId, idParameter(request, 'family'))
}

async function patchFamily(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
  const { name } = request.body as Static<typeof NameBody>
  await renameFamily(deps.db, { workspaceId, familyId: idParameter(request, 'family'), actor, now, name })
  return reply.code(204).send()
}

async function removeFamily(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
  const { confirmName } = request.body as Static<typeof ConfirmBody>
  await deleteFamily(deps.db, {
    workspaceId,
    familyId: idParameter(request, 'family'),
    actor,
    now,
    confirmName,
  })
  return reply.code(204).send()
}

async function getFamilySboms(deps: HttpDeps, request: FastifyRequest): Promise<Page<SbomRow>> {
  const { workspaceId } = await member(deps, request)
  const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  return listSboms(deps.db, { workspaceId, familyId, cursor: queryValue(request, 'cursor') })
}

async function getHistory(deps: HttpDeps, request: FastifyRequest): Promise<{ days: FamilyHistoryDay[] }> {
  const { workspaceId } = await member(deps, request)
  const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  const { time_zone: timeZone } = await selectWorkspace(deps.db, workspaceId)
  return { days: await selectFamilyHistory(deps.db, { workspaceId, familyId, timeZone }) }
}

const family = '/workspaces/:slug/families/:family'

function familyAct(name: string, act: typeof archiveFamily): AppOperation {
  return write('POST', `${family}/${name}`, async (deps, request, reply) => {
    const { workspaceId, actor, now } = await memberWho(deps, request, 'manage_families')
    await act(deps.db, { workspaceId, familyId: idParameter(request, 'family'), actor, now })
    return reply.code(204).send()
  })
}

function versionAct(name: string, act: typeof retireVersion): AppOperation {
  return write('POST', `${family}/versions/:version/${name}`, async (deps, request, reply) => {
    const { workspaceId, actor, now } = await memberWho(deps, request, 'edit_versions')
    const familyId = idParameter(request, 'family')
    await act(deps.db, { workspaceId, familyId, versionId: idParameter(request, 'version'), actor, now })
    return reply.code(204).send()
  })
}

/** Product families and their versions. */
export const familyOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/families', getFamilies),
  read('/workspaces/:slug/family-names', getFamilyNames),
  write('POST', '/workspaces/:slug/families', postFamily, NameBody),
  read(family, getFamily),
  write('PATCH', family, patchFamily, NameBody),
  write('DELETE', family, removeFamily, ConfirmBody),
  read(`${family}/sboms`, getFamilySboms),
  read(`${family}/history`, getHistory),
  familyAct('archive', archiveFamily),
  familyAct('restore', restoreFamily),
  versionAct('retire', retireVersion),
  versionAct('restore', restoreVersion),
  versionAct('make-current', setCurrentVersion),
]
