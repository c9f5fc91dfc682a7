// Rule packs: built-in ones are readable and cite sources; users' invalid ones are rejected with the field's name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RulePack } from './pack.ts'
import { builtInPacks, readPack } from './packs.ts'

const [brazil, international] = builtInPacks() as [RulePack, RulePack]

test('the built-in packs: one strict for Brazil, one for any country', () => {
  assert.deepEqual(
    builtInPacks().map(({ id, countries }) => ({ id, countries })),
    [
      { id: 'br-strict', countries: ['BR'] },
      { id: 'international', countries: null },
    ],
  )
  assert.equal(builtInPacks(), builtInPacks())
})

const weekdays = [1, 2, 3, 4, 5]
test('the hours in which the packs permit calls', () => {
  assert.deepEqual(
    brazil.windows.map(({ regions, windows }) => [regions, windows]),
    [
      [['BR'], [{ days: weekdays, from: '09:00', to: '18:00' }]],
      [['BR-RJ'], [{ days: weekdays, from: '08:00', to: '18:00' }]],
      [['BR-CE'], [{ days: weekdays, from: '08:00', to: '18:00' }]],
      [['BR-ES'], [{ days: weekdays, from: '08:00', to: '19:00' }]],
    ],
  )
  assert.deepEqual(
    international.windows.map(({ regions, windows }) => [regions, windows]),
    [[null, [{ days: [...weekdays, 6], from: '09:00', to: '20:00' }]]],
  )
})

for (const pack of [brazil, international])
  test(`${pack.id}: disclosure is on, and the governor acts before a carrier would`, () => {
    assert.equal(pack.disclosure.isRequired, true)
    assert.ok(pack.shortCalls && pack.shortCalls.pauseAt < 0.85 && pack.shortCalls.slowAt < pack.shortCalls.pauseAt)
    assert.ok(pack.spacing && pack.frequency.length === 2)
  })

test('a pack of a user is read as it is', () => {
  const copy = structuredClone(brazil)
  assert.deepEqual(readPack(copy), { pack: brazil })
})

const rule = (change: object) => ({ ...brazil, windows: [{ ...brazil.windows[0], ...change }] })
const window = (from: string, to: string, days = [1]) => ({ windows: [{ days, from, to }] })
const endless: Record<string, unknown> = {}
endless.self = endless

for (const [what, pack, problem] of [
  ['nothing', null, 'must be object'],
  ['a circle', endless, 'it is not JSON'],
  ['too much', { ...brazil, name: 'x'.repeat(100_001) }, 'it is larger than 100000 characters'],
  ['an unknown field', { ...brazil, color: 1 }, 'color is not a field of a rule pack'],
  ['no name', { ...brazil, name: '' }, 'name must not have fewer than 1 characters'],
  ['no windows', { ...brazil, windows: [] }, 'windows must not have fewer than 1 items'],
  ['a rule without source', rule({ source: undefined }), 'windows[0].source must be string'],
  [
    'a field of null or object',
    { ...brazil, spacing: { ...brazil.spacing, minutes: 0 } },
    'spacing.minutes must be >= 1',
  ],
  [
    'an unknown kind of holiday',
    { ...brazil, holidays: { ...brazil.holidays, kinds: ['city'] } },
    'holidays.kinds[0] must be one of national, state, optional',
  ],
  ['a window backwards', rule(window('18:00', '09:00')), 'windows[0].windows[0].to must be after from'],
  ['an empty window', rule(window('09:00', '09:00')), 'windows[0].windows[0].to must be after from'],
  ['a country without a rule', rule({ regions: ['BR-RJ'] }), 'windows must have a rule for the whole of BR'],
  [
    'any country, but no rule that holds everywhere',
    { ...brazil, countries: null },
    'windows must have a rule with regions null: it holds for the countries that no other rule names',
  ],
  [
    'no minute in common',
    { ...brazil, windows: [...brazil.windows, { ...brazil.windows[0], id: 'late', ...window('18:00', '24:00') }] },
    'windows leave no minute of the week open in BR',
  ],
  [
    'two rules of one id',
    { ...brazil, frequency: [...brazil.frequency, brazil.frequency[0]] },
    'frequency[2].id: another rule has the id br-attempts-day',
  ],
  ['31 February', { ...brazil, date: '2026-02-31' }, 'date: 2026-02-31 is not a date'],
  [
    'a holiday on 31 April',
    { ...brazil, holidays: { ...brazil.holidays, dates: ['2026-04-30', '2026-04-31'] } },
    'holidays.dates[1]: 2026-04-31 is not a date',
  ],
  [
    'slower only after the pause',
    { ...brazil, shortCalls: { ...brazil.shortCalls, slowAt: 0.9 } },
    'shortCalls.slowAt must not be above pauseAt',
  ],
] as const)
  test(`refused: ${what}`, () => assert.deepEqual(readPack(pack), { problem }))
