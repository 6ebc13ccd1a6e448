import { visibleText } from '#contract/hidden-characters.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import type { ReactNode } from 'react'
import type { FindingComponent } from '#contract/findings/shapes.ts'
import { scopeLooks } from '../../components/scope.tsx'
import { Card } from '../../kit/page/Card.tsx'
import { CopyText } from '../../kit/text/CopyText.tsx'
import styles from './AffectedComponents.module.css'

type Props = {
  components: FindingComponent[]
  /** The finding rests on a CPE. */
  isByCpe: boolean
}

/** Where it sits: the components of the product that the finding is about. */
export function AffectedComponents({ components, isByCpe }: Props): ReactNode {
  if (components.length === 0) return null
  return (
    <Card title={components.length === 1 ? 'Component' : 'Components'}>
      <ul className={styles['components']}>
        {components.map((component) => (
          <li key={component.number}>
            <div>
              <Foreign>{component.name}</Foreign>{' '}
              {component.version === null ? (
                <span className="dimmed">without version</span>
              ) : (
                <Foreign>{component.version}</Foreign>
              )}
              {component.group === null ? null : (
                <span className="dimmed">
                  {' '}
                  of <Foreign>{component.group}</Foreign>
                </span>
              )}
            </div>
            <Scope scope={component.scope} />
            <Way path={component.path} />
            {namesOf(component, isByCpe).map((name) => (
              <div key={name}>
                <CopyText text={name} what={isCpe(name) ? 'CPE' : 'purl'} />
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What the SBOM calls it: its package URLs; its CPEs where it has none, or where they decided. */
function namesOf({ purl, cpe, otherNames }: FindingComponent, isByCpe: boolean): string[] {
  const names = [purl, cpe, ...otherNames].filter((name) => name !== null)
  return [...new Set(purl === null || isByCpe ? names : names.filter((name) => !isCpe(name)))]
}

function isCpe(name: string): boolean {
  return /^cpe:/i.test(name)
}

/** Its scope; nothing where the SBOM states none. */
function Scope({ scope }: Pick<FindingComponent, 'scope'>): ReactNode {
  if (scope === null) return null
  const { word, meaning } = scopeLooks[scope]
  return (
    <div className="dimmed">
      {word}: {meaning}
    </div>
  )
}

/** The dependency path to a component; nothing where the SBOM states none. */
function Way({ path }: Pick<FindingComponent, 'path'>): ReactNode {
  if (path === null) return null
  if (path.length === 0) return <div className="dimmed">A direct dependency of the product</div>
  const steps = path.map(({ name, version }) => visibleText(version === null ? name : `${name} ${version}`))
  return (
    <div className="dimmed">
      Comes in through <bdi>{steps.join(' › ')}</bdi>
    </div>
  )
}
