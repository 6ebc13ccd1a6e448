import { createContext, useContext } from 'react'

const TimeZone = createContext<string | undefined>(undefined)

/** The time zone in which the times below it are shown: the person's, where they chose none the workspace's, and outside of both the browser's. */
export const TimeZoneProvider = TimeZone.Provider

/** Undefined: that of the browser. */
export function useTimeZone(): string | undefined {
  return useContext(TimeZone)
}
