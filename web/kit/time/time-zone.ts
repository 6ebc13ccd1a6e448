import { createContext, useContext } from 'react'

const TimeZone = createContext<string | undefined>(undefined)

/** The zone of all times below it: the person's, else the workspace's, and outside both the browser's. */
export const TimeZoneProvider = TimeZone.Provider

/** Undefined: the browser's. */
export function useTimeZone(): string | undefined {
  return useContext(TimeZone)
}
