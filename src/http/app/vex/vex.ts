import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import * as contract from '../../../contract/vex/operations.ts'
import {
  listDocuments,
  selectDocument,
  selectOriginalDocument,
} from '../../../vex/documents/list-documents.ts'
import { restoreDocument, withdrawDocument } from '../../../vex/documents/withdraw-document.ts'
import { listReported } from '../../../views/vex/list-reported.ts'
import { listStatements } from '../../../views/vex/list-statements.ts'
import { selectFamily } from '../../../products/families/select-families.ts'
import { exportVex } from './vex-export.ts'
import { routesOf } from '../routing/handle.ts'

/** VEX documents of a family and what each of them says. */
export const vexRoutes = routesOf(contract, {
  listVexDocuments: async ({ workspaceId, params, query, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    return listDocuments(deps.db, { workspaceId, familyId, state: query.state, cursor: query.cursor })
  },

  listReportedFindings: async ({ workspaceId, params, query, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    const versionId = query.version === 'none' ? null : query.version
    return listReported(deps.db, { workspaceId, familyId, versionId, cursor: query.cursor })
  },

  exportVex,

  getVexDocument: ({ workspaceId, params, deps }) => selectDocument(deps.db, workspaceId, params.document),

  listVexStatements: ({ workspaceId, params, query, deps }) =>
    listStatements(deps.db, {
      workspaceId,
      documentId: params.document,
      show: query.show ?? 'statements',
      search: query.search,
      number: query.number,
      cursor: query.cursor,
    }),

  /** The file as it was sent, decompressed. */
  downloadVexDocument: async ({ workspaceId, params, deps }) => {
    const { raw, encoding } = await selectOriginalDocument(deps, workspaceId, params.document)
    const bytes = Readable.from([raw])
    const unpack = encoding === 'gzip' ? createGunzip : createZstdDecompress
    return {
      fileName: `${params.document}.vex.json`,
      content: encoding === 'identity' ? bytes : bytes.pipe(unpack()),
    }
  },

  withdrawVexDocument: ({ workspaceId, actor, now, params, deps }) =>
    withdrawDocument(deps.db, { workspaceId, documentId: params.document, actor, now }),

  restoreVexDocument: ({ workspaceId, actor, now, params, deps }) =>
    restoreDocument(deps.db, { workspaceId, documentId: params.document, actor, now }),
})
