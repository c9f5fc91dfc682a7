// Faults planted in a running platform: which end their owner alone, and which end the process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { callsUp, containedOf, counted, startPlanted } from '../planted-faults.ts'
import { ask } from '../service.ts'
import { until } from '../until.ts'

const CALLS = 10

test('a fault in a call, a request, a job or a WebSocket ends it alone, while the other calls go on', async (t) => {
  const { service, carrier, calls, inProgress } = await callsUp(t, CALLS)
  const { url } = service
  const rows = await inProgress()
  for (const [at, how] of ['timer', 'promise', 'socket'].entries()) {
    const { id } = rows[at] ?? { id: '' }
    await ask(`${url}/calls/${id}/${how}`, undefined, 'GET')
    const row = await until(`the call with a ${how} has ended`, async () => {
      const call = await service.get(`/api/calls/${id}`)
      return call.endedAt !== null && call
    })
    assert.deepEqual([row.status, row.endReason, row.hangupBy], ['failed', 'internal_error', 'system'])
    assert.equal((await inProgress()).length, CALLS - at - 1)
  }
  await until('their callers are told', () => carrier.all('BYE').length === 3)

  for (const how of ['timer', 'promise', 'socket'])
    for (const [method, body] of [['GET'], ['POST', { x: 1 }]] as const) {
      const answer = await ask(`${url}/plant/${how}`, undefined, method, body)
      const error = { statusCode: 500, error: 'Internal Server Error', message: 'Something went wrong on our side' }
      assert.deepEqual([answer.status, JSON.parse(answer.text)], [500, error])
      assert.equal(answer.headers.get('x-error-code'), 'internal_error')
    }

  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
  await new Promise((resolve) => socket.once('close', resolve))

  await ask(`${url}/arm/job`, undefined, 'GET')
  await until('the job has failed', async () => (await counted(url)).job === 1)
  const runs = async () => JSON.parse((await ask(`${url}/runs`, undefined, 'GET')).text).runs as number
  const before = await runs()
  await until('the job is run again', async () => (await runs()) > before)

  assert.deepEqual(await counted(url), { call: 3, request: 6, socket: 1, job: 1 })
  await until('each is logged', () => containedOf(service).length >= 11)
  const contained = containedOf(service)
  assert.equal(contained.length, 11)
  assert.deepEqual(
    contained.filter(({ owner }) => owner === 'call').map(({ id }) => id),
    rows.slice(0, 3).map(({ id }) => id),
  )
  assert.deepEqual(contained.find(({ owner }) => owner === 'job')?.id, 'planted job')

  assert.equal((await inProgress()).length, CALLS - 3)
  const packets = carrier.rtpPackets()
  await until('the others are heard', () => carrier.rtpPackets() > packets + 50)
  const alive = calls.filter(({ callId }) => !carrier.all('BYE').some((bye) => bye.headers.get('call-id') === callId))
  assert.equal(alive.length, CALLS - 3)
  for (const call of alive) assert.equal((await call.bye()).status, 200)
})

for (const what of ['nobody', 'lease', 'pool'])
  test(`a fault of ${what} ends the process`, async () => {
    const service = await startPlanted()
    void ask(`${service.url}/arm/${what}`, undefined, 'GET').catch(() => {})
    await until('the process ends', () => service.process.exitCode !== null)
    assert.equal((await service.ended).code, 1)
    assert.match(service.output(), /"uncaught exception"/)
    assert.deepEqual(containedOf(service), [])
  })
