/** Something of a person that saves itself, on a page that is shown or was left. */
export type SavesItself = {
  person: string
  /** Saves at once what is not saved yet; settles when it is saved or cannot be. */
  saveNow: () => Promise<void>
  /** Forgets what is not saved. */
  giveUp: () => void
}

const registered = new Set<SavesItself>()

/** Has it saved before the session is ended by choice. Returns what ends that. */
export function savesItself(one: SavesItself): () => void {
  registered.add(one)
  return () => {
    registered.delete(one)
  }
}

export async function saveUnsaved(person: string): Promise<void> {
  await Promise.all(of(person).map((one) => one.saveNow()))
}

export function giveUpUnsaved(person: string): void {
  for (const one of of(person)) one.giveUp()
}

function of(person: string): SavesItself[] {
  return [...registered].filter((one) => one.person === person)
}
