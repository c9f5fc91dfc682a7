import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RulePack } from '../calling-rules/pack.ts'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { type Context, decisionLines } from './decision.ts'
import { decisionTexts } from './decision-texts.ts'

const sourced = { source: 'a law', date: '2026-01-01' }
const pack: RulePack = {
  id: 'br-strict',
  name: 'Brasil, estrito',
  version: 2,
  date: '2026-01-01',
  countries: ['BR'],
  windows: [{ id: 'br-hours', regions: null, windows: [], ...sourced }],
  holidays: null,
  frequency: [{ id: 'br-day', max: 2, hours: 24, ...sourced }],
  spacing: null,
  monthly: null,
  shortCalls: null,
  disclosure: { id: 'br-ai', isRequired: true, ...sourced },
}
const context: Context = { words: decisionTexts.en, outcomes: campaignStateTexts.en.outcomes, locale: 'en-GB', pack }

test('a decision tells window, zone, what moved it, the rules and the lists', () => {
  const decision = {
    pack: 'br-strict',
    version: 2,
    rules: ['br-hours', 'br-day'],
    regions: ['BR-SP'],
    zones: ['America/Sao_Paulo', 'America/Bahia'],
    window: { date: '2026-11-17', from: '09:00', to: '18:00' },
    movedBy: ['br-day', 'part-of-day'],
    lists: { own: 3, lists: [{ id: 'sul_1', version: 4 }] },
  }
  assert.deepEqual(decisionLines(decision, context), [
    'Window of Tue 17 Nov, 09:00 to 18:00',
    'Moved by: limit of attempts, another part of the day',
    'Time zone of the person called: Brasilia Standard Time',
    'Region: São Paulo',
    'Rules applied: permitted times, limit of attempts',
    'Rules Brasil, estrito, version 2',
    'Suppression lists checked: your own (3), sul_1 v4',
  ])
  assert.equal(decisionLines(decision, context, true).length, 2)
})

test('why a contact waits', () => {
  assert.deepEqual(decisionLines({ retry: 'busy', afterMinutes: 20 }, context), ['Another attempt after: Busy'])
  assert.deepEqual(decisionLines({ retry: 'in_doubt' }, context), ['A person decided to call again'])
  assert.deepEqual(decisionLines({ never: 'no_window' }, context), ['There is no permitted time at all.'])
  assert.deepEqual(decisionLines({ listId: null, reason: 'opt_out' }, context), ['Asked not to be called'])
  assert.deepEqual(decisionLines({ callbackId: 'cbk_1' }, context), ['The person asked for a call at this time'])
})

test('what is not known is left out', () => {
  assert.deepEqual(decisionLines(null, context), [])
  assert.deepEqual(decisionLines({ window: 5, zones: [7], lists: 'x', reason: 'toString' }, context), [])
})
