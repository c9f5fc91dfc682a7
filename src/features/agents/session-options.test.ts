// An agent's settings as session options: turn rules and voicemail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultTurnRules } from '../../voice/turn/rules.ts'
import type { Agent } from './schema.ts'
import { sessionOptions } from './session-options.ts'
import type { AgentSettings } from './settings-schema.ts'

const out = { direction: 'outbound', fromNumber: null, toNumber: '+5511999990000' } as const
const optionsOf = (settings: AgentSettings | null, call: Parameters<typeof sessionOptions>[2] = out) =>
  sessionOptions(
    { language: 'pt-BR', systemPrompt: 'x', initialSpeech: 'Olá.', settings } as unknown as Agent,
    { nome: 'João' },
    call,
  )

test('an agent without settings has the default rules and ignores voicemail', () => {
  const { options } = optionsOf(null)
  assert.deepEqual(options.rules, defaultTurnRules)
  assert.equal(options.rules.voicemail, 'ignore')
  assert.equal(options.rules.speculate, true)
})

test('settings can switch off preemptive generation', () => {
  assert.equal(optionsOf({ turn: { speculate: false } }).options.rules.speculate, false)
  assert.equal(optionsOf({ turn: { speculate: null } }).options.rules.speculate, true)
})

test('variables of the voicemail message are filled, and missing ones reported', () => {
  const message = 'Oi {{nome}}, {{recado}}'
  const { options, missing } = optionsOf({ voicemail: { action: 'message', message } })
  assert.deepEqual([options.rules.voicemail, options.amd?.message], ['message', 'Oi João, '])
  assert.deepEqual(missing, ['recado'])
})

test('without a voicemail message the agent hangs up', () => {
  for (const message of [undefined, null, '', '  '])
    assert.equal(optionsOf({ voicemail: { action: 'message', message } as never }).options.rules.voicemail, 'hangup')
})

test('AMD runs on outbound calls only', () => {
  const settings: AgentSettings = { voicemail: { action: 'hangup' } }
  assert.ok(optionsOf(settings).options.amd)
  const { options } = optionsOf(settings, { direction: 'inbound', fromNumber: '+5511888880000', toNumber: '' })
  assert.equal(options.amd, undefined)
})
