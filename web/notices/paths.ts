import { linkOptions } from '@tanstack/react-router'

export const noticePages = {
  notices: (slug: string) => linkOptions({ to: '/$slug/account/notifications', params: { slug } }),
}
