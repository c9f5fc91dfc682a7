// Graceful shutdown: no new calls; running calls drain and are then hung up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipResponse } from '../../src/sip/message/message.ts'
import { databaseOfRun, NUMBER, startPhoneService, talking } from '../phone-service.ts'
import { ask } from '../service.ts'
import { until } from '../until.ts'

test('a stopping process refuses new calls, lets the live one continue, and exits with its end', async (t) => {
  const database = await databaseOfRun()
  const service = await startPhoneService({ DRAIN_SECONDS: '600', ...database })
  const { carrier, call, row, agentId } = await talking(t, service)
  service.process.kill('SIGTERM')
  const asked = () => {
    const options = carrier.ask(service.sipPort, 'OPTIONS')
    return until('OPTIONS is answered', () =>
      carrier.heard.find(({ message }) => message.headers.get('call-id') === options.headers.get('call-id')),
    )
  }
  await until('OPTIONS says that it is draining', async () => {
    const { message } = await asked()
    return (message as SipResponse).status === 503
  })
  const refused = await (await carrier.call(service.sipPort, { uri: NUMBER })).final()
  assert.equal(refused.status, 503)
  assert.ok(refused.headers.get('retry-after'))
  const toNumber = '+5511999990000'
  assert.equal((await service.post('/api/calls/outbound', { agentId, toNumber })).status, 503)
  assert.equal((await ask(`${service.url}/readyz`, undefined, 'GET')).status, 503)
  const heard = carrier.rtpPackets()
  await until('the live call goes on', () => carrier.rtpPackets() > heard + 20)
  assert.equal((await service.get(`/api/calls/${row.id}`)).status, 'in_progress')
  await call.bye()
  assert.deepEqual(await service.ended, { code: 0, signal: null })
  const again = await startPhoneService({ ...database }, service)
  const turnedAway = (await again.get('/api/calls')).find((each: { sipCode: number | null }) => each.sipCode === 503)
  assert.deepEqual([turnedAway.endReason, turnedAway.status], ['node_shutdown', 'failed'])
  await again.kill('SIGTERM')
})

test('a stopping process hangs up a call that outlasts its time', async (t) => {
  const database = await databaseOfRun()
  const service = await startPhoneService({ DRAIN_SECONDS: '2', ...database })
  const { call, row } = await talking(t, service)
  const began = performance.now()
  service.process.kill('SIGTERM')
  await call.over(30_000)
  assert.ok(performance.now() - began > 1900, 'not before its time')
  assert.deepEqual(await service.ended, { code: 0, signal: null })
  const again = await startPhoneService({ ...database }, service)
  const end = await again.get(`/api/calls/${row.id}`)
  assert.deepEqual([end.status, end.endReason, end.hangupBy], ['completed', 'node_shutdown', 'system'])
  await again.kill('SIGTERM')
})

test('a process exits when its last call has ended, and waiting calls fail with node_shutdown', async (t) => {
  const database = await databaseOfRun()
  const service = await startPhoneService({ MAX_CALLS_PER_USER: '1', ...database })
  const { call, agentId } = await talking(t, service)
  const { json } = await service.post('/api/calls/outbound', { agentId, toNumber: '+5511999990000' })
  service.process.kill('SIGTERM')
  await until('the waiting call is told', async () => {
    const { status, endReason } = await service.get(`/api/calls/${json.callId}`)
    return status === 'failed' && endReason === 'node_shutdown'
  })
  assert.equal(service.process.exitCode, null)
  await call.bye()
  assert.deepEqual(await service.ended, { code: 0, signal: null })
})
