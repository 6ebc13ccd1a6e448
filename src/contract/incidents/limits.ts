/** The minimum length of a reasoning. */
export const minReasoningCharacters = 20

/** The most characters of what is typed about an incident. */
export const incidentLimits = {
  /** Of a determination. */
  reasoningCharacters: 10_000,
  /** Why something is done, decided or late, and how somebody was told. */
  reasonCharacters: 4_000,
  /** Why an incident is opened of another time, and why a match opens none. */
  openingReasonCharacters: 2_000,
  commentCharacters: 10_000,
  titleCharacters: 255,
  taskCharacters: 300,
  /** How a report was filed. */
  channelCharacters: 100,
  /** Of an authority, and of its reference. */
  nameCharacters: 200,
} as const

/** Of the reason for an act that starts, stops or moves a clock. */
export const reasonLength = { min: minReasoningCharacters, max: incidentLimits.reasonCharacters } as const
