import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FamilyName, TokenRow } from '../../../src/contract/app.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { Card } from '../../ui/page/Card.tsx'
import { ButtonLink } from '../../ui/text/links.tsx'
import styles from './Checklist.module.css'
import { firstSteps, type FirstStep } from './first-steps.ts'

type Props = { families: FamilyName[]; tokens: TokenRow[] }

/** The first steps of a new workspace; gone once all are done. */
export function Checklist({ families, tokens }: Props): ReactNode {
  const { slug } = useWorkspace()
  const steps = firstSteps(families, tokens)
  const next = steps.find(({ isDone }) => !isDone)
  if (next === undefined) return null
  return (
    <Card
      title="First steps"
      aside={
        <span className="dimmed">
          {steps.filter(({ isDone }) => isDone).length} of {steps.length} done
        </span>
      }
    >
      <ol className={styles['steps']}>
        {steps.map((step) => (
          <li key={step.id} className={styles['step']} data-done={step.isDone}>
            {step.isDone ? (
              <IconCircleCheckFilled size={20} className={styles['done']} aria-label="done" />
            ) : (
              <IconCircleDashed size={20} className={styles['open']} aria-label="open" />
            )}
            <div className={styles['words']}>
              <strong>{step.name}</strong>
              <span className="dimmed">{step.why}</span>
            </div>
            {step === next ? (
              <ButtonLink {...addressOf(step, slug, families)} size="xs">
                {step.verb}
              </ButtonLink>
            ) : null}
          </li>
        ))}
      </ol>
    </Card>
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
