import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FamilyName } from '#contract/products/shapes.ts'
import type { TokenRow } from '#contract/tokens/shapes.ts'
import type { WorkspaceDetail } from '#contract/workspace/shapes.ts'
import { createFamily } from '#contract/products/operations.ts'
import { refusal, stateRefusal } from '../workspaces/access.ts'
import type { Refusal } from '../kit/actions/ActionButton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionLink } from '../kit/actions/ActionLink.tsx'
import { StepsCard } from './StepsCard.tsx'
import { firstSteps, type FirstStep } from './first-steps.ts'

type Props = { families: FamilyName[]; tokens: TokenRow[] }

/** The first steps of a new workspace; gone once all are done. */
export function Checklist({ families, tokens }: Props): ReactNode {
  const workspace = useWorkspace()
  const steps = firstSteps(families, tokens)
  const next = steps.find(({ isDone }) => !isDone)
  if (next === undefined) return null
  return (
    <StepsCard
      title="First steps"
      steps={steps}
      list="ol"
      wayTo={(step) =>
        step === next ? (
          <ActionLink
            link={addressOf(step, workspace.slug, families)}
            refused={refusalOf(step, workspace)}
            size="xs"
          >
            {step.verb}
          </ActionLink>
        ) : null
      }
    />
  )
}

function addressOf({ id }: FirstStep, slug: string, families: FamilyName[]): LinkOptions {
  const family = families[0]
  switch (id) {
    case 'family':
      return pages.families(slug, { dialog: 'create' })
    case 'token':
      return pages.tokens(slug, { dialog: 'create', ...(family === undefined ? {} : { family: family.id }) })
    case 'sbom':
      return family === undefined ? pages.families(slug) : pages.family(slug, family.id)
  }
}

/** Everybody may read how to send an SBOM; in a read-only workspace the upload would be refused. */
function refusalOf({ id }: FirstStep, workspace: WorkspaceDetail): Refusal {
  switch (id) {
    case 'family':
      return refusal(workspace, createFamily.permission)
    case 'token':
      return refusal(workspace, 'manage_upload_tokens')
    case 'sbom':
      return stateRefusal(workspace)
  }
}
