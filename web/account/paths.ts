import { linkOptions } from '@tanstack/react-router'

export const accountPages = {
  account: () => linkOptions({ to: '/account' }),
}
