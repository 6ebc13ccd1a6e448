import { visibleText } from '#contract/hidden-characters.ts'
import { CutForeign, Foreign } from '../../kit/text/Foreign.tsx'
import type { ReactNode } from 'react'
import type { TokenRow, TokenKind } from '#contract/tokens/shapes.ts'
import { Age } from '../../kit/time/Time.tsx'

export const kindWords: Record<TokenKind, { name: string; can: string }> = {
  upload: { name: 'Upload', can: 'Sends SBOMs and VEX documents for one family, and nothing else.' },
  results: {
    name: 'Results',
    can: 'Reads the findings of one family’s SBOMs, so that a pipeline can act on them.',
  },
  workspace: { name: 'Workspace', can: 'Manages chat and webhook destinations.' },
}

/** The one family a token is for; workspace tokens have none. */
export function TokenFamily({ token: { family, kind } }: { token: TokenRow }): ReactNode {
  const kindName = kindWords[kind].name.toLowerCase()
  if (family === null) return <span className="dimmed">none · {kindName}</span>
  return kind === 'upload' ? (
    <Foreign>{family.name}</Foreign>
  ) : (
    <>
      <Foreign>{family.name}</Foreign> <span className="dimmed">· {kindName}</span>
    </>
  )
}

/** The same on one line: a long name is cut, the kind never is. */
export function TokenFamilyLine({ token }: { token: TokenRow }): ReactNode {
  const { family, kind } = token
  if (family === null || kind === 'upload') return <TokenFamily token={token} />
  return (
    <span className="named" title={visibleText(family.name)}>
      <CutForeign>{family.name}</CutForeign>{' '}
      <span className="dimmed whole">· {kindWords[kind].name.toLowerCase()}</span>
    </span>
  )
}

export function Created({ token: { createdAt, createdBy, creatorRemoved } }: { token: TokenRow }): ReactNode {
  return (
    <>
      <Age at={createdAt} />
      <span className="dimmed">
        {' '}
        by <Foreign>{createdBy ?? 'provisioning'}</Foreign>
        {creatorRemoved ? ' (removed)' : ''}
      </span>
    </>
  )
}

export function LastUsed({ token: { lastUsedAt } }: { token: TokenRow }): ReactNode {
  return lastUsedAt === null ? <span className="dimmed">never</span> : <Age at={lastUsedAt} />
}

export function Expires({ token: { expiresAt } }: { token: TokenRow }): ReactNode {
  return expiresAt === null ? <span className="dimmed">never</span> : <Age at={expiresAt} />
}
