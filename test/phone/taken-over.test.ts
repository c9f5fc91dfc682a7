// Outbound calls queued in a killed process are dialed by another one, each exactly once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipRequest } from '../../src/sip/message/message.ts'
import { agentOnService, databaseOfRun, NUMBER, startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'

test('waiting calls of a killed process are dialled by the next one, each once', async (t) => {
  const database = await databaseOfRun()
  const service = await startPhoneService({ CALLS_PER_SECOND: '0.01', ...database })
  const carrier = await openByHand(t)
  carrier.onRequest = (request) => {
    if (request.method === 'INVITE') carrier.answer(request, 486)
  }
  /** Called numbers in order; retransmissions count as the same call. */
  const called = () => {
    const invites = new Map((carrier.all('INVITE') as SipRequest[]).map((one) => [one.headers.get('call-id'), one.uri]))
    return [...invites.values()].map((uri) => /\+\d+/.exec(uri)?.[0])
  }
  const { agentId } = await agentOnService(service, { host: '127.0.0.1', port: carrier.port }, NUMBER)
  const order = async (toNumber: string) =>
    (await service.post('/api/calls/outbound', { agentId, toNumber })).json.callId as string
  const first = await until('the trunk is known and a call goes out', async () => {
    const callId = await order('+5511999990000')
    return (await until('it is tried', async () => {
      const { endReason } = await service.get(`/api/calls/${callId}`)
      return endReason
    }))
      ? callId
      : undefined
  })
  const waiting = [await order('+5511999990001'), await order('+5511999990002')]
  const before = called()
  await service.kill('SIGKILL')
  const again = await startPhoneService({ CALLS_PER_SECOND: '20', ...database }, service)
  for (const id of waiting) {
    const end = await until(
      'it was dialled',
      async () => {
        const call = await again.get(`/api/calls/${id}`)
        return call.endedAt !== null && call
      },
      40_000,
    )
    assert.deepEqual([end.status, end.endReason], ['busy', 'busy'])
  }
  assert.deepEqual(called().slice(before.length).sort(), ['+5511999990001', '+5511999990002'])
  assert.ok(first)
  await again.kill('SIGTERM')
})
