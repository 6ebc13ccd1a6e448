import { linkOptions } from '@tanstack/react-router'

export const advisoryPages = {
  advisories: (slug: string) => linkOptions({ to: '/$slug/advisories', params: { slug } }),
  advisory: (slug: string, advisory: string) =>
    linkOptions({ to: '/$slug/advisories/$advisory', params: { slug, advisory } }),
}
