import { useParams } from '@tanstack/react-router'

/** The workspace that the address names, on the pages of one. */
export function useSlug(): string {
  return useParams({ from: '/signed-in/$slug' }).slug
}
