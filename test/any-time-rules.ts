// A rule pack that permits calls at any time: tests and benchmarks must not depend on the time of day.
import type { RulePack } from '../src/rule-packs/pack.ts'

const because = { source: 'for tests', date: '2026-11-16' }

export const anyTime: RulePack = {
  id: 'any-time',
  name: 'any time',
  version: 1,
  date: '2026-11-16',
  countries: null,
  windows: [
    {
      id: 'always',
      regions: null,
      ...because,
      windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
    },
  ],
  holidays: null,
  frequency: [],
  spacing: null,
  monthly: null,
  shortCalls: null,
  disclosure: { id: 'disclosure', isRequired: false, ...because },
}
