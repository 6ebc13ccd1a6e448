import { randomUUID } from 'node:crypto'
import type { AppOperation } from '#contract/operation.ts'
import { bodies, nobodys } from '../../../api/operation-bodies.ts'
import type { Route } from '../../../support/http.ts'
import { entries, type Entry } from './entries.ts'
import type { Values } from './fill-workspace.ts'
import { namingBodies } from './naming-bodies.ts'

export type Sent = { method: string; path: string; body?: unknown }

/** A request for something of another workspace, and the same for something that does not exist: both must get the same answer. */
export type Trial = {
  foreign: Sent
  controls: Sent[]
  /** `refused`: no member gets further than "not found" or "not allowed". */
  expects: 'hidden' | 'refused' | 'alike'
}

export type Both = { foreign: Values; own: Values }

export const root = '/api/app/workspaces/:slug'
/** Not specific to one workspace: a public vulnerability, a number that every workspace has. */
const shared = new Set(['slug', 'vulnerability', 'number'])
const wordsOf: Values = { number: '999', vulnerability: 'CVE-1999-0001', slug: 'no-such-workspace' }

type Kind = 'missing' | 'random'

/** A non-existent id, or text that is no id, in place of each value. */
function instead(values: Values, kind: Kind): Values {
  const secret = 'A'.repeat(43)
  const texts: Values = {
    email: 'nobody@nowhere.example',
    receipt: secret,
    badge: `${secret}.svg`,
    ...wordsOf,
  }
  const random = `x${randomUUID().slice(0, 8)}`
  const of = (name: string) => {
    if (kind === 'missing') return texts[name] ?? nobodys
    return name === 'email' ? `${random}@nowhere.example` : random
  }
  return Object.fromEntries(Object.keys(values).map((name) => [name, of(name)]))
}

export const nameOf = ({ method, url }: Route) => `${method} ${url}`

export function parametersOf(url: string): string[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

/** Versions of an advisory are numbered differently from reports to the company. */
export function put(url: string, given: Values): string {
  const values = url.includes('/versions/:number')
    ? { ...given, number: given['versionNumber'] ?? '' }
    : given
  return url.replaceAll(/:(\w+)/g, (_match, name: string) => values[name] ?? `no-value-of-${name}`)
}

/** The trials of an entry or operation. Undefined: none. */
export function trialsOf(
  route: Route,
  { both, operation, kinds }: { both: Both; operation: AppOperation | undefined; kinds: readonly Kind[] },
): Trial[] | undefined {
  if (route.url.startsWith(root))
    return operation === undefined ? undefined : ofWorkspace(route, { both, operation, kinds })
  const entry = entries[nameOf(route)]
  return entry === undefined ? undefined : ofEntry(route, entry, { both, kinds })
}

function ofEntry(
  { method, url }: Route,
  { at = (values) => [put(url, values)], body }: Entry,
  { both, kinds }: { both: Both; kinds: readonly Kind[] },
): Trial[] {
  const sent = (values: Values): Sent[] =>
    at(values).map((path) => ({ method, path, ...(body === undefined ? {} : { body: body(values) }) }))
  const controls = kinds.map((kind) => sent(instead(both.foreign, kind)))
  return sent(both.foreign).map((foreign, index) => ({
    foreign,
    controls: controls.flatMap((each) => each[index] ?? []),
    expects: 'alike',
  }))
}

type OfWorkspace = { both: Both; operation: AppOperation; kinds: readonly Kind[] }

function ofWorkspace(route: Route, given: OfWorkspace): Trial[] {
  const { both, kinds } = given
  const { method, url } = route
  const name = nameOf(route)
  const good = name in bodies ? { body: bodies[name] } : {}
  const at = (values: Values) => ({ method, path: put(url, values), ...good })
  const inTheOther: Trial = {
    foreign: at(both.foreign),
    controls: kinds.map((kind) => at({ ...both.foreign, slug: instead({ slug: '' }, kind)['slug'] ?? '' })),
    expects: 'hidden',
  }
  const named = parametersOf(url).filter((parameter) => !shared.has(parameter))
  const inTheirOwn = subsetsOf(named).map((names): Trial => {
    const taken = Object.fromEntries(names.map((each) => [each, both.foreign[each] ?? '']))
    return {
      foreign: at({ ...both.own, ...taken }),
      controls: kinds.map((kind) => at({ ...both.own, ...instead(taken, kind) })),
      expects: 'refused',
    }
  })
  return [inTheOther, ...inTheirOwn, ...inQuery(route, given), ...inBody(route, given)]
}

/** Every non-empty subset. */
function subsetsOf(names: readonly string[]): string[][] {
  const [first, ...rest] = names
  if (first === undefined) return []
  const others = subsetsOf(rest)
  return [[first], ...others, ...others.map((subset) => [first, ...subset])]
}

/** Query filters that name something of a workspace. */
function inQuery({ method, url }: Route, { both, operation, kinds }: OfWorkspace): Trial[] {
  const ids = Object.entries(operation.query).filter(([, kind]) => kind === 'id' || kind === 'id_or_none')
  return ids.map(([name]) => {
    const at = (id: string) => ({ method, path: `${put(url, both.own)}?${name}=${id}` })
    return {
      foreign: at(both.foreign[name] ?? `no-value-of-${name}`),
      controls: kinds.map((kind) => at(idOf(kind))),
      expects: 'alike',
    }
  })
}

function inBody(route: Route, { both, kinds }: OfWorkspace): Trial[] {
  const { method, url } = route
  return namingBodies
    .filter((naming) => naming.route === nameOf(route))
    .map(({ body, names }) => {
      const text = JSON.stringify(body)
      const at = (id: string) => {
        const written: unknown = JSON.parse(text.replaceAll(nobodys, id))
        return { method, path: put(url, both.own), body: written }
      }
      return {
        foreign: at(both.foreign[names] ?? `no-value-of-${names}`),
        controls: kinds.map((kind) => at(idOf(kind))),
        expects: 'alike',
      }
    })
}

function idOf(kind: Kind): string {
  return kind === 'missing' ? nobodys : randomUUID()
}

/** Bodies that can name an id, but have no trial. */
export function hasUntriedId(route: Route, { body }: AppOperation): boolean {
  const text = JSON.stringify(body)
  return text.includes('"uuid"') && !namingBodies.some((naming) => naming.route === nameOf(route))
}
