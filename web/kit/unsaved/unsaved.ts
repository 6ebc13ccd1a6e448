/** A text that saves itself, on a page that is open or was left. */
export type SavesItself = {
  person: string
  /** Saves unsaved text now; settles when it is saved or cannot be. */
  saveNow: () => Promise<void>
  /** Discards unsaved text. */
  giveUp: () => void
}

const registered = new Set<SavesItself>()

/** Registers a text to be saved before the person signs out. Returns how to unregister it. */
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
