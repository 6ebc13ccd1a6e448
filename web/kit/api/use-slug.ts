import { useParams } from '@tanstack/react-router'

/** The workspace named in the address. */
export function useSlug(): string {
  return useParams({ from: '/signed-in/$slug' }).slug
}
