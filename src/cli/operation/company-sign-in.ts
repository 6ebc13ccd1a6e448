import { parseArgs } from 'node:util'
import { ServiceError } from '../../contract/errors.ts'
import { onlyArgument, operator, UsageError, workspaceNamed, type Command } from '../command.ts'
import type { Process } from '../open-process.ts'

/** For a workspace whose members can no longer sign in, or whose domain now belongs to somebody else. */
export const companySignInCommands: Record<string, Command> = {
  'company-sign-in list': {
    usage: 'company-sign-in list [<slug>]',
    summary:
      'print the issuer and the domains of every workspace that signs in with its company, or of one workspace; no secret',
    run: list,
  },
  'company-sign-in off': {
    usage: 'company-sign-in off <slug>',
    summary:
      'remove the issuer of a workspace: sessions that it opened end, and members sign in with password or passkey again',
    run: switchOff,
  },
  'company-sign-in remove-domain': {
    usage: 'company-sign-in remove-domain <slug> <domain>',
    summary:
      'remove a domain of a workspace: no more accounts are linked by its addresses; those that are linked stay',
    run: removeOneDomain,
  },
}

async function list({ db }: Process, args: string[]): Promise<unknown> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
  const [slug] = positionals
  if (positionals.length > 1) throw new UsageError('expected at most one slug')
  if (slug !== undefined) await workspaceNamed(db, slug)
  const { listCompanySignIns } = await import('../../views/operation/list-company-sign-ins.ts')
  return { workspaces: await listCompanySignIns(db, slug) }
}

async function switchOff({ db, now }: Process, args: string[]): Promise<unknown> {
  const slug = onlyArgument(args, 'a slug')
  const { removeIssuer } = await import('../../people/company-sign-in/company-settings.ts')
  const act = { workspaceId: await workspaceNamed(db, slug), actor: operator, now: now() }
  await orSay(removeIssuer(db, act), `"${slug}" has no issuer`)
  return { slug, issuer: null }
}

async function removeOneDomain({ db, now }: Process, args: string[]): Promise<unknown> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
  const [slug, typed] = positionals
  if (slug === undefined || typed === undefined || positionals.length !== 2)
    throw new UsageError('expected a slug and a domain')
  const domain = typed.trim().toLowerCase()
  const { removeDomain } = await import('../../people/company-sign-in/company-settings.ts')
  const act = { workspaceId: await workspaceNamed(db, slug), domain, actor: operator, now: now() }
  await orSay(removeDomain(db, act), `"${slug}" has no domain "${domain}"`)
  return { slug, removed: domain }
}

async function orSay(done: Promise<void>, missing: string): Promise<void> {
  try {
    await done
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') throw new UsageError(missing)
    throw error
  }
}
