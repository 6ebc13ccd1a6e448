import { linkOptions } from '@tanstack/react-router'

export const findingPages = {
  finding: (slug: string, finding: string) =>
    linkOptions({ to: '/$slug/findings/$finding', params: { slug, finding } }),
}
