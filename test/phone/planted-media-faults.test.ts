// Faults planted in web calls and in the media workers of a running platform: in a leg they end its call alone, in the
// clock the calls of that worker.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { answeredCall, type PhoneService } from '../phone-service.ts'
import { callsUp, containedOf, counted } from '../planted-faults.ts'
import { ask } from '../service.ts'
import { until } from '../until.ts'
import { type WebCaller, webCaller } from '../web-caller.ts'

const CALLS = 10
const WEB_CALLS = 3

/** Retried: a busy machine refuses calls while its media clock is late. */
const webCall = (t: TestContext, service: PhoneService, agentId: string) =>
  until('the web call is accepted', async () => {
    const { token } = (await service.post('/api/web-calls', { agentId })).json
    const caller = await webCaller({ app: { listen: async () => service.url } }, token)
    t.after(() => caller.socket.terminate())
    const callId = await Promise.race([
      caller.until('started').then(({ callId }) => String(callId)),
      caller.closed.then(() => undefined),
    ])
    return callId === undefined ? undefined : { ...caller, callId }
  })

/** More audio reaches the browser of this call. */
async function isHeard({ heard }: WebCaller): Promise<void> {
  const before = heard().pcm.length
  await until('the browser hears more', () => heard().pcm.length > before + 24_000)
}

test('a fault in a web call or a leg ends it alone, one in the clock of a media worker the calls of that worker', async (t) => {
  const { service, carrier, agentId, calls, inProgress } = await callsUp(t, CALLS)
  const { url } = service
  const [first, second, third] = [
    await webCall(t, service, agentId),
    await webCall(t, service, agentId),
    await webCall(t, service, agentId),
  ]
  await until('all calls run', async () => (await inProgress()).length === CALLS + WEB_CALLS)
  const failed = async () => {
    const rows = (await service.get('/api/calls?status=failed')) as { channel: string; endReason: string }[]
    return rows.filter(({ endReason }) => endReason === 'internal_error').map(({ channel }) => channel)
  }
  const failsNext = async (what: string, ...ends: string[]) => {
    const before = await failed()
    await ask(`${url}${what}`, undefined, 'GET')
    await until(`${ends} after ${what}`, async () => (await failed()).length >= before.length + ends.length)
    assert.deepEqual((await failed()).toSorted(), [...before, ...ends].toSorted())
  }

  // The worker serves its legs in the order in which they were opened.
  await failsNext('/media/web-leg', 'web')
  await first.closed
  await failsNext(`/calls/${second.callId}/timer`, 'web')
  await second.closed
  await failsNext('/media/phone-leg', 'sip')
  await until('its caller is told', () => carrier.all('BYE').length === 1)
  assert.deepEqual(await counted(url), { call: 3 })
  await until('it is logged', () => containedOf(service).length > 0)
  assert.deepEqual(
    containedOf(service).map(({ id }) => id),
    [second.callId],
  )
  assert.equal((await inProgress()).length, CALLS - 1 + WEB_CALLS - 2)
  const packets = carrier.rtpPackets()
  await until('the others are heard', () => carrier.rtpPackets() > packets + 50)
  await isHeard(third)

  await failsNext('/media/clock', ...Array.from({ length: CALLS - 1 }, () => 'sip'))
  await until('the end of the thread is logged', () => service.output().includes('"a media thread died"'))
  assert.deepEqual(
    (await inProgress()).map(({ id }) => id),
    [third.callId],
  )
  await isHeard(third)
  const next = await answeredCall(carrier, service.sipPort)
  const after = carrier.rtpPackets()
  await until('the next call is heard', () => carrier.rtpPackets() > after + 50)
  assert.equal((await next.bye()).status, 200)
  assert.equal(calls.length, CALLS)
})
