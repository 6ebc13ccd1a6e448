/** Where the public operations are (`http/public`). The pages show the addresses. */
export const publicPaths = {
  sboms: '/api/v1/sboms',
  vex: '/api/v1/vex',
  dependencyTrack: '/api/v1/connectors/dependency-track',
  alertDestinations: '/api/v1/alert-destinations',
} as const
