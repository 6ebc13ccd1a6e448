/** What the pages of the documentation say of the installation that serves them. */
export type Site = {
  /** Address of the public interface, without trailing slash. */
  baseUrl: string
  serviceName: string
}
