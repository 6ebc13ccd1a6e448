/** A body for each operation on a whole workspace, by method and address. */
export const companyBodies = {
  'PATCH /api/app/workspaces/:slug/company': { companyName: 'Renamed' },
  'POST /api/app/workspaces/:slug/billing/checkout': { plan: 'core' },
  'POST /api/app/workspaces/:slug/close': { confirmName: 'umbrella company', password: 'x' },
  'POST /api/app/workspaces/:slug/delete': { confirmName: 'umbrella company', password: 'x' },
}
