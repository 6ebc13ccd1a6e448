/** Which field of the draft a part of the document comes from. */
export class FieldPlaces {
  readonly #fields = new Map<string, string>()

  /** `pointer`: to a part of the document (RFC 6901). */
  add(pointer: string, field: string): void {
    this.#fields.set(pointer, field)
  }

  /** The field of the part that the pointer leads to, or of the nearest part around it; null: of none. */
  fieldAt(pointer: string): string | null {
    const parts = pointer.split('/')
    for (let length = parts.length; length > 0; length -= 1) {
      const field = this.#fields.get(parts.slice(0, length).join('/'))
      if (field !== undefined) return field
    }
    return null
  }
}
