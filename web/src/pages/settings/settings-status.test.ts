// Status on the settings page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Settings } from '../../../../client/paths.ts'
import {
  filterSettings,
  groupsOfTab,
  microphoneStatus,
  modelStatus,
  phoneStatus,
  settingSource,
  voiceStatus,
} from './settings-status.ts'

const voice = { speaking: 'natural', preparingPercent: null, trouble: null } as Settings['voice']
const phone = { isOn: true, host: '0.0.0.0' } as Settings['phone']

test('voice status: good, preparing, degraded or missing', () => {
  const word = (part: Partial<Settings['voice']>) => voiceStatus({ voice: { ...voice, ...part } }).word
  assert.equal(word({}), 'natural')
  assert.equal(word({ speaking: 'small', preparingPercent: 40 }), 'preparing')
  assert.equal(word({ speaking: 'small', trouble: 'no memory' }), 'trouble')
  assert.equal(voiceStatus({ voice: { ...voice, speaking: 'none' } }).tone, 'bad')
})

test('without a model, the status is rule-based', () => {
  assert.equal(modelStatus({ model: { provider: null } as Settings['model'] }).word, 'rules')
  assert.equal(modelStatus({ model: { provider: 'anthropic' } as Settings['model'] }).word, 'model')
})

test('telephony on loopback is distinguished from public', () => {
  assert.equal(phoneStatus({ phone }).word, 'on')
  assert.equal(phoneStatus({ phone: { ...phone, host: '127.0.0.1' } }).word, 'local')
  assert.equal(phoneStatus({ phone: { ...phone, isOn: false } }).word, 'off')
})

test('the microphone needs HTTPS or localhost', () => {
  assert.equal(microphoneStatus({ isSecureContext: true, protocol: 'https:' }).word, 'good')
  assert.equal(microphoneStatus({ isSecureContext: true, protocol: 'http:' }).word, 'local')
  assert.equal(microphoneStatus({ isSecureContext: false, protocol: 'http:' }).word, 'insecure')
})

test('secrets are hidden; defaults are distinguished from set values', () => {
  assert.equal(settingSource({ value: null, isSecret: true, isSet: true }), 'hidden')
  assert.equal(settingSource({ value: 'leak', isSecret: true, isSet: false }), 'unset')
  assert.equal(settingSource({ value: '3000', isSecret: false, isSet: false }), 'default')
  assert.equal(settingSource({ value: '3001', isSecret: false, isSet: true }), 'value')
  assert.equal(settingSource({ value: null, isSecret: false, isSet: false }), 'unset')
})

test('settings are found by name and description', () => {
  const setting = (name: string, description: string) => ({
    name,
    description,
    value: null,
    isSecret: false,
    isSet: false,
  })
  const groups = [
    { name: 'A', settings: [setting('PORT', ''), setting('HOST', 'loopback only')] },
    { name: 'B', settings: [setting('LOG_LEVEL', '')] },
  ]
  assert.equal(filterSettings(groups, ' '), groups)
  assert.deepEqual(
    filterSettings(groups, 'Loop').map(({ name, settings }) => [name, settings.length]),
    [['A', 1]],
  )
})

test('a setting is found by the heading of its group, with or without accents', () => {
  const speech = [
    { name: 'Speech', settings: [{ name: 'X', value: null, isSecret: false, isSet: false, description: '' }] },
  ]
  const heading = () => 'Voz e reconhecimento de fala · Telefonía'
  assert.equal(filterSettings(speech, 'voz', heading).length, 1)
  assert.equal(filterSettings(speech, 'TELEFONIA', heading).length, 1)
  assert.equal(filterSettings(speech, 'voz').length, 0)
})

test('each tab shows the groups of its area, and status shows all', () => {
  const all = ['Thinking', 'Speech', 'The phone', 'Logs', 'New'].map((name) => ({ name, settings: [] }))
  const names = (tab: string) => groupsOfTab(all, tab).map(({ name }) => name)
  assert.deepEqual(names('about'), ['Thinking', 'Logs'])
  assert.deepEqual(names('telephony'), ['The phone'])
  assert.equal(groupsOfTab(all, 'status'), all)
})
