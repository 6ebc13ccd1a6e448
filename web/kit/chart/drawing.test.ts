import { describe, expect, it } from 'vitest'
import { drawBridges, drawSteps, gapsIn, placeOf, pointsSince, scaleTop, spreadLabels } from './drawing.ts'

const days = { firstDay: '2026-01-01', lastDay: '2026-01-10' }

describe('a line of steps', () => {
  it('holds each value until the next one, and the last one to the end of the last day', () => {
    const points = [
      { day: '2026-01-01', value: 2 },
      { day: '2026-01-06', value: 4 },
    ]
    expect(drawSteps(points, { ...days, top: 4, holds: true })).toBe('M0,100H500V0H1000')
  })

  it('is broken where days were not counted, and one day alone is drawn', () => {
    const points = [
      { day: '2026-01-02', value: 1 },
      { day: '2026-01-03', value: 2 },
      { day: '2026-01-06', value: 0 },
    ]
    expect(drawSteps(points, { ...days, top: 2, holds: false })).toBe('M100,100H200V0H300M500,200H600')
  })

  it('is empty without points', () => {
    expect(drawSteps([], { ...days, top: 1, holds: true })).toBe('')
  })
})

describe('days without figures', () => {
  const points = ['02', '03', '06', '08'].map((day, value) => ({ day: `2026-01-${day}`, value }))

  it('are those between days with some, and those after them that are over', () => {
    expect(gapsIn(points, '2026-01-11')).toEqual([
      { firstDay: '2026-01-04', lastDay: '2026-01-05', days: 2 },
      { firstDay: '2026-01-07', lastDay: '2026-01-07', days: 1 },
      { firstDay: '2026-01-09', lastDay: '2026-01-10', days: 2 },
    ])
    expect(gapsIn(points, '2026-01-08')).toHaveLength(2)
    expect(gapsIn(points, '2026-01-09')).toHaveLength(2)
    expect(gapsIn([], '2026-01-09')).toEqual([])
  })

  it('are bridged from the value before them to the one after them', () => {
    expect(drawBridges(points, { ...days, top: 4 })).toBe('M300,150L500,100M600,100L700,50')
    expect(drawBridges(points.slice(0, 2), { ...days, top: 4 })).toBe('')
  })
})

it('a day lies in the period, or at its edge', () => {
  expect(placeOf('2026-01-06', days)).toBe(0.5)
  expect(placeOf('2025-12-01', days)).toBe(0)
  expect(placeOf('2026-02-01', days)).toBe(1)
})

it('what holds from before begins with the first day that is drawn', () => {
  const points = [
    { day: '2026-01-01', value: 0 },
    { day: '2026-01-05', value: 3 },
  ]
  expect(pointsSince(points, '2026-01-03')).toEqual([
    { day: '2026-01-03', value: 0 },
    { day: '2026-01-05', value: 3 },
  ])
  expect(pointsSince(points, '2026-01-05')).toEqual([{ day: '2026-01-05', value: 3 }])
  expect(pointsSince([{ day: '2026-01-05', value: 3 }], '2026-01-03')).toEqual([
    { day: '2026-01-05', value: 3 },
  ])
})

it.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 5],
  [6, 10],
  [11, 20],
  [50, 50],
  [51, 100],
  [1234, 2000],
])('the scale of %i ends at %i', (highest, top) => {
  expect(scaleTop(highest)).toBe(top)
})

it.each([
  ['far apart', [0.1, 0.5, 0.9], [0.1, 0.5, 0.9]],
  ['equal', [0.5, 0.5], [0.5, 0.6]],
  ['at the end', [1, 1, 1], [0.8, 0.9, 1]],
  ['in another order', [0.9, 0.1, 0.15], [0.9, 0.1, 0.2]],
])('labels %s keep their room', (_name, wishes, places) => {
  const spread = spreadLabels(wishes, 0.1)
  expect(spread.map((place) => Math.round(place * 100) / 100)).toEqual(places)
})
