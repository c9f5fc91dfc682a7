// Webhook form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Webhook } from '../../../../client/paths.ts'
import { eventGroups } from '../../event-types.ts'
import { bodyOf, emptyWebhook, formOf, isWholeGroup, problemsOf, withGroup } from './webhook-form.ts'
import { eventWords, webhooksTexts } from './webhooks-texts.ts'

test('a stored webhook round-trips through the form', () => {
  const stored = {
    url: 'https://example.com/hook',
    description: null,
    isActive: false,
    events: ['*'],
    agentIds: null,
  } as unknown as Webhook
  const { url, description, isActive, events, agentIds } = stored
  assert.deepEqual(bodyOf(formOf(stored)), { url, description, isActive, events, agentIds })
  const some = { ...stored, events: ['call.ended'], agentIds: ['agt_1'] } as Webhook
  assert.deepEqual(bodyOf(formOf(some)).events, ['call.ended'])
  assert.deepEqual(bodyOf(formOf(some)).agentIds, ['agt_1'])
})

test('missing values are reported', () => {
  assert.deepEqual(problemsOf(emptyWebhook), ['url'])
  assert.deepEqual(problemsOf({ ...emptyWebhook, url: 'http://a', isAll: false, events: [] }), ['events'])
  for (const url of ['ftp://a', 'https://user@host/', 'example.com', 'https:// a'])
    assert.deepEqual(problemsOf({ ...emptyWebhook, url }), ['url'], url)
})

test('a group is selected and cleared as a whole', () => {
  const all = withGroup(['call.ended', 'tool.failed'], 'call', true)
  assert.ok(isWholeGroup(all, 'call') && all.includes('tool.failed'))
  assert.equal(all.length, eventGroups.call.length + 1)
  assert.deepEqual(withGroup(all, 'call', false), ['tool.failed'])
})

test('an event is shown in words; an unknown one unchanged', () => {
  const t = webhooksTexts.en
  assert.equal(eventWords(t, 'call.answered'), 'Call: answered')
  assert.match(eventWords(t, 'trunk.status_changed'), /^Trunk/)
  assert.equal(eventWords(t, 'later.event'), 'later.event')
})
