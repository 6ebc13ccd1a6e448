/**
 * Lets go of all that an ended thing holds. A worker keeps each test file's module, and with it whatever the file's variables hold: a server with its
 * routes and its pool for each of hundreds of files, which the collector then goes through time and again.
 */
export function letGoOf(ended: object): void {
  for (const key of Reflect.ownKeys(ended)) Reflect.deleteProperty(ended, key)
}
