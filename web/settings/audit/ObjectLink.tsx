import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AuditEvent } from '#contract/audit/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { objectName } from './audit-words.ts'

/** The object of an act, as a link where it has a page. */
export function ObjectLink({ object }: { object: AuditEvent['object'] }): ReactNode {
  const { slug } = useWorkspace()
  const page = pageOf(slug, object)
  const name = <Foreign>{objectName(object)}</Foreign>
  return page === undefined ? name : <TextLink {...page}>{name}</TextLink>
}

function pageOf(slug: string, { kind, id }: AuditEvent['object']): LinkOptions | undefined {
  switch (kind) {
    case 'family':
      return pages.family(slug, id)
    case 'sbom':
      return pages.sbom(slug, id)
    case 'vex_document':
      return pages.vex(slug, id)
    case 'incident':
      return pages.incident(slug, id)
    case 'advisory':
      return pages.advisory(slug, id)
    case 'finding':
      return pages.finding(slug, id)
    case 'token':
      return pages.tokens(slug, { token: id })
    case 'destination':
      return pages.notifications(slug, { destination: id })
    default:
      return undefined
  }
}
