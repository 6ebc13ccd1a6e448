import { IconShieldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { lostReasons } from '#contract/inventory/lost-words.ts'
import { Notice } from '../kit/page/Notice.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatDate, formatNoun } from '../kit/text/format.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ecosystemName } from '#contract/inventory/ecosystem-name.ts'
import { coverageQuery } from './queries.ts'

const maxNamed = 3

/** What could be checked within the last week and no longer can. Nothing if nothing was lost. */
export function LostCoverage(): ReactNode {
  const { slug } = useWorkspace()
  const lost = useQuery(coverageQuery(slug)).data?.lost ?? null
  if (lost === null || lost.ecosystems.length === 0) return null
  const total = lost.ecosystems.reduce((sum, { components }) => sum + components, 0)
  const more = lost.ecosystems.length - maxNamed
  return (
    <Notice Icon={IconShieldOff}>
      <span>
        {formatNoun(total, 'component')} covered on {formatDate(lost.since)} {total === 1 ? 'is' : 'are'} no
        longer covered, so new vulnerabilities in {total === 1 ? 'it' : 'them'} are not found.{' '}
        {lost.ecosystems.slice(0, maxNamed).map(({ ecosystem, components, state }) => (
          <Fragment key={ecosystem ?? ''}>
            <Foreign>{ecosystem === null ? 'Others' : ecosystemName(ecosystem)}</Foreign> (
            {formatNoun(components, 'component')}): {lostReasons[state]}.{' '}
          </Fragment>
        ))}
        {more > 0 ? `${formatNoun(more, 'more ecosystem')}.` : null}
      </span>
    </Notice>
  )
}
