import type { AdvisoryContent, AdvisoryPreview } from '../../../contract/advisories/shapes.ts'
import { adviseDraft } from '../../../advisories/document/judge-draft.ts'
import { readDocument } from '../../../advisories/document/read-document.ts'
import { readContent } from '../../../advisories/document/read-content.ts'
import { previewInput } from '../../../advisories/publish/preview-input.ts'
import { withdrawnCredits } from '../../../disclosure/reads/withdrawn-credits.ts'
import type { HttpDeps } from '../../deps.ts'
import { advisoryBody } from '../../../disclosure-site/advisory-page.ts'
import { renderPage } from '../../../disclosure-site/page-frame.ts'

/** Nobody fixes more at once. */
const shownProblems = 100

type Previewing = {
  workspaceId: string
  advisoryId: string
  now: Date
  content: AdvisoryContent
  kind?: 'update' | 'correction' | undefined
  summary?: string | undefined
}

/** What would be published now: the document, its page, and what prevents it. Codes: `invalid_request`, `not_found`. */
export async function previewOf(
  { db, baseUrl, serviceName, sealing }: HttpDeps,
  { content, kind = 'update', summary = '', ...asked }: Previewing,
): Promise<AdvisoryPreview> {
  const input = await previewInput(db, {
    ...asked,
    content: readContent(content),
    kind,
    baseUrl,
    serviceName,
    // the dialog that publishes asks for it
    summary: summary.trim() === '' ? 'What is new in this version.' : summary.trim(),
  })
  const { bytes, problems: found, advice } = await adviseDraft(input)
  const { workspaceId, advisoryId } = asked
  const withdrawn = await withdrawnCredits(db, { workspaceId, advisoryId, sealing }, content)
  const document = readDocument(bytes)
  const page = renderPage({
    lang: 'en',
    title: document.document.title,
    companyName: input.publisher.name,
    links: [],
    body: await advisoryBody(document, null),
  })
  const problems = [...found, ...withdrawn]
  return {
    json: bytes.toString(),
    page,
    advice,
    problems: problems.slice(0, shownProblems),
    problemsTotal: problems.length,
  }
}
