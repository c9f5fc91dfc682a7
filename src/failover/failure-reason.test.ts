import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appError } from '../base/errors/errors.ts'
import { guardedAgent } from '../base/outside/guarded-agent.ts'
import { refusal as modelRefusal } from '../llm/model-http.ts'
import { openAiChat } from '../llm/openai-chat.ts'
import { late, refusal, type Vendor } from '../speech/vendor-http.ts'
import { isProviderFault, reasonOf } from './failure-reason.ts'

const server = { title: 'Model', apiKey: 'k' }
const vendor: Vendor = { name: 'Voice', apiKey: 'k', baseUrl: '', headers: () => ({}) }

test('the errors of models and vendors have reasons', () => {
  const cases: [unknown, string, boolean][] = [
    [modelRefusal(server, 401, undefined, ''), 'key_refused', true],
    [modelRefusal(server, 403, undefined, ''), 'key_refused', true],
    [modelRefusal(server, 429, undefined, ''), 'limited', true],
    [modelRefusal(server, 503, undefined, ''), 'unreachable', true],
    [modelRefusal(server, 404, undefined, ''), 'invalid_answer', false],
    [modelRefusal(server, 400, undefined, ''), 'invalid_answer', false],
    [refusal(vendor, 401, ''), 'key_refused', true],
    [refusal(vendor, 429, ''), 'limited', true],
    [refusal(vendor, 500, ''), 'unreachable', true],
    [refusal(vendor, 422, ''), 'invalid_answer', false],
    [refusal(vendor, 404, ''), 'invalid_answer', false],
    [late(vendor), 'timeout', true],
    [appError('service_silent', { service: 'x' }), 'timeout', true],
    [appError('service_nonsense', { service: 'x' }), 'invalid_answer', true],
    [appError('service_not_stream', { service: 'x' }), 'invalid_answer', true],
    [appError('service_speech_cut', { service: 'x' }), 'broken_off', true],
    [appError('budget_speech_used_up', { limit: 5 }), 'limited', false],
    [new Error('ECONNRESET'), 'unreachable', true],
    [AbortSignal.timeout(0), 'unreachable', true],
  ]
  for (const [error, reason, isFault] of cases)
    assert.deepEqual([reasonOf(error), isProviderFault(error)], [reason, isFault], String(error))
})

test('a connection that broke after the first part has broken the answer off', () => {
  const error = appError('service_connection_broke', { service: 'x' })
  assert.deepEqual([reasonOf(error), reasonOf(error, true)], ['unreachable', 'broken_off'])
})

test('a name that does not resolve is unreachable, and one that may not be called is our own mistake', async (t) => {
  const failureAt = async (baseUrl: string) => {
    const agent = guardedAgent({ who: 'providers', connectMs: 1000 })
    t.after(() => agent.close())
    const llm = openAiChat({ baseUrl, apiKey: 'k', model: 'm', dispatcher: agent.dispatcher })
    const answer = llm.reply([{ role: 'user', content: 'Hi' }], [], { language: 'en' }, new AbortController().signal)
    return Array.fromAsync(answer).then(
      () => assert.fail('it should have failed'),
      (error: unknown) => [reasonOf(error), isProviderFault(error)],
    )
  }
  assert.deepEqual(await failureAt('https://vendor.invalid/v1'), ['unreachable', true])
  assert.deepEqual(await failureAt('https://10.0.0.1/v1'), ['invalid_answer', false])
})
