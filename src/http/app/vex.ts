import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../../contract/app.ts'
import {
  vexDocumentStates,
  vexEntryFilters,
  type ReportedFindingRow,
  type VexDocumentDetail,
  type VexDocumentRow,
  type VexStatementPage,
} from '../../contract/vex-documents.ts'
import { listReported } from '../../views/vex/list-reported.ts'
import { listStatements } from '../../views/vex/list-statements.ts'
import { listDocuments, selectDocument, selectOriginalDocument } from '../../vex/documents/list-documents.ts'
import { restoreDocument, withdrawDocument } from '../../vex/documents/withdraw-document.ts'
import { selectFamily } from '../../workspace/families/select-families.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { idParameter, idQuery, member, memberWho, numberQuery, queryValue, queryWord } from './member.ts'

async function getDocuments(deps: HttpDeps, request: FastifyRequest): Promise<Page<VexDocumentRow>> {
  const { workspaceId } = await member(deps, request)
  const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  return listDocuments(deps.db, {
    workspaceId,
    familyId,
    state: queryWord(request, 'state', vexDocumentStates),
    cursor: queryValue(request, 'cursor'),
  })
}

async function getDocument(deps: HttpDeps, request: FastifyRequest): Promise<VexDocumentDetail> {
  const { workspaceId } = await member(deps, request)
  return selectDocument(deps.db, workspaceId, idParameter(request, 'document'))
}

async function getStatements(deps: HttpDeps, request: FastifyRequest): Promise<VexStatementPage> {
  const { workspaceId } = await member(deps, request)
  return listStatements(deps.db, {
    workspaceId,
    documentId: idParameter(request, 'document'),
    show: queryWord(request, 'show', vexEntryFilters) ?? 'statements',
    search: queryValue(request, 'search'),
    number: numberQuery(request, 'number'),
    cursor: queryValue(request, 'cursor'),
  })
}

/** `version` is the id of one, or `none` for the SBOMs without version. */
async function getReported(deps: HttpDeps, request: FastifyRequest): Promise<Page<ReportedFindingRow>> {
  const { workspaceId } = await member(deps, request)
  const { id: familyId } = await selectFamily(deps.db, workspaceId, idParameter(request, 'family'))
  const isNone = queryValue(request, 'version') === 'none'
  return listReported(deps.db, {
    workspaceId,
    familyId,
    versionId: isNone ? null : idQuery(request, 'version'),
    cursor: queryValue(request, 'cursor'),
  })
}

/** The file as it was sent, decompressed, never shown by the browser itself. */
async function download(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId } = await member(deps, request)
  const documentId = idParameter(request, 'document')
  const { raw, encoding } = await selectOriginalDocument(deps.db, workspaceId, documentId)
  void reply
    .header('Content-Type', 'application/json')
    .header('Content-Disposition', `attachment; filename="${documentId}.vex.json"`)
    .header('Content-Security-Policy', 'sandbox')
  const bytes = Readable.from([raw])
  if (encoding === 'identity') return reply.send(bytes)
  return reply.send(bytes.pipe(encoding === 'gzip' ? createGunzip() : createZstdDecompress()))
}

const document = '/workspaces/:slug/vex/:document'

function documentAct(name: string, act: typeof withdrawDocument): AppOperation {
  return write('POST', `${document}/${name}`, async (deps, request, reply) => {
    const { workspaceId, actor, now } = await memberWho(deps, request, 'upload')
    await act(deps.db, { workspaceId, documentId: idParameter(request, 'document'), actor, now })
    return reply.code(204).send()
  })
}

/** VEX documents of a family and what each of them says. */
export const vexOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/families/:family/vex', getDocuments),
  read('/workspaces/:slug/families/:family/reported-findings', getReported),
  read(document, getDocument),
  read(`${document}/statements`, getStatements),
  read(`${document}/download`, download),
  documentAct('withdraw', withdrawDocument),
  documentAct('restore', restoreDocument),
]
