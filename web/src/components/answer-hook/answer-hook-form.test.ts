import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, emptyHook, formOfHook, problemsOf } from './answer-hook-form.ts'

const stored = {
  id: 'hok_1',
  kind: 'spreadsheet' as const,
  url: 'https://crm.example.com/answer',
  spreadsheet: {
    spreadsheetId: 'sht_1',
    column: 'Telefone',
    agentColumn: 'Agente',
    languageColumn: null,
    refuseColumn: null,
    transferColumn: null,
    contextColumn: null,
  },
  timeoutMs: 900,
  isActive: true,
  createdAt: '2026-11-16T17:00:00.000Z',
  updatedAt: '2026-11-16T17:00:00.000Z',
}

test('a stored hook is sent back as it was, without the settings of the other kind', () => {
  const { kind, spreadsheet, timeoutMs, isActive } = stored
  assert.deepEqual(bodyOf(formOfHook(stored)), { kind, spreadsheet, timeoutMs, isActive })
  assert.deepEqual(bodyOf({ ...formOfHook(stored), kind: 'url' }), {
    kind: 'url',
    url: 'https://crm.example.com/answer',
    timeoutMs: 900,
    isActive: true,
  })
})

test('what is missing depends on the kind', () => {
  assert.deepEqual([...problemsOf(emptyHook)], ['url'])
  assert.deepEqual([...problemsOf({ ...emptyHook, kind: 'spreadsheet' })], ['spreadsheetId', 'column'])
  for (const url of ['crm.example.com', 'ftp://x', 'https://user@host/'])
    assert.ok(problemsOf({ ...emptyHook, url }).has('url'))
  assert.deepEqual([...problemsOf({ ...emptyHook, url: ' https://x.example/ ' })], [])
  for (const timeoutMs of ['', 499, 5001] as const)
    assert.ok(problemsOf({ ...emptyHook, url: 'https://x.example/', timeoutMs }).has('timeoutMs'))
})
