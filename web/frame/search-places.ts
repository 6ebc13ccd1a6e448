import type { LinkOptions } from '@tanstack/react-router'
import { isAllowed, type Permission, type Role } from '#contract/roles.ts'
import { pages } from '../areas.ts'

/** A page or action found by its own words. */
export type SearchTarget = {
  kind: 'setting' | 'act'
  name: string
  about: string
  link: LinkOptions
  needs?: Permission
}

const maxShown = 5

/** Settings and actions whose name or description contains every word of a search, as far as the role may open them. */
export function findPlaces(slug: string, role: Role, search: string): SearchTarget[] {
  const words = search.toLowerCase().split(/\s+/)
  return [...settings(slug), ...acts(slug)]
    .filter(({ needs }) => needs === undefined || isAllowed(role, needs))
    .filter((place) => words.every((word) => `${place.name} ${place.about}`.toLowerCase().includes(word)))
    .slice(0, maxShown)
}

function settings(slug: string): SearchTarget[] {
  const setting = (name: string, about: string, link: LinkOptions, needs?: Permission): SearchTarget => ({
    kind: 'setting',
    name,
    about,
    link,
    ...(needs === undefined ? {} : { needs }),
  })
  return [
    setting('Company', 'name, address, security contact, time zone', pages.company(slug)),
    setting('Regimes and authorities', 'CRA, NIS2, GDPR, DORA, reporting, lead times', pages.regimes(slug)),
    setting('Disclosure', 'report form, security.txt, policy, acknowledgments', pages.disclosure(slug)),
    setting('API tokens', 'upload, results and workspace tokens', pages.tokens(slug)),
    setting('Dependency-Track', 'connector, refused requests', pages.connector(slug)),
    setting('Notifications', 'chat, webhooks, delivery problems', pages.notifications(slug)),
    setting('My notifications', 'mail, bell, digest', pages.notices(slug)),
    setting('Members', 'people, roles, invitations', pages.members(slug)),
    setting('Sign-in', 'single sign-on, second factor, passkeys', pages.signInSettings(slug)),
    setting('Billing', 'plan, trial, invoices', pages.billing(slug)),
    setting('Audit trail', 'actions, who did what, export', pages.audit(slug), 'see_audit'),
    setting('Close workspace', 'export the workspace, close, delete', pages.closing(slug), 'manage_billing'),
    setting('Account', 'your name, password, second factor, time zone, sessions', pages.account()),
    setting('Sources', 'vulnerability data, their state, coverage', pages.sources(slug)),
  ]
}

function acts(slug: string): SearchTarget[] {
  const act = (name: string, about: string, link: LinkOptions, needs: Permission): SearchTarget => ({
    kind: 'act',
    name,
    about,
    link,
    needs,
  })
  return [
    act(
      'Create a product family',
      'new product',
      pages.families(slug, { dialog: 'create' }),
      'manage_families',
    ),
    act(
      'Create an API token',
      'new upload or results token',
      pages.tokens(slug, { dialog: 'create' }),
      'manage_upload_tokens',
    ),
    act('Invite a member', 'add a person', pages.members(slug, { dialog: 'invite' }), 'manage_members'),
    act(
      'Open an incident',
      'severe incident, exploited vulnerability',
      pages.incidents(slug, { dialog: 'open' }),
      'work_on_incidents',
    ),
    act(
      'Add a destination',
      'chat, webhook',
      pages.notifications(slug, { dialog: 'add' }),
      'manage_destinations',
    ),
    act('Write an advisory', 'CSAF, publish', pages.advisories(slug), 'draft_advisories'),
  ]
}
