import { linkOptions } from '@tanstack/react-router'

export const dashboardPages = {
  dashboard: (slug: string) => linkOptions({ to: '/$slug', params: { slug } }),
}
