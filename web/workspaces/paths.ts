import { linkOptions } from '@tanstack/react-router'

export const workspacePages = {
  home: () => linkOptions({ to: '/' }),
}
