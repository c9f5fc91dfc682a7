// A call is transferred through the node that does not run it, to phones that ring longer than the timeout between
// nodes.
// @run postgres
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SILENCE_MS } from '../../src/cluster/bus.ts'
import { usesPostgres } from '../app.ts'
import { NUMBER, type PhoneService } from '../phone-service.ts'
import { startSipp } from '../phones/sipp.ts'
import { callee } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'
import { baresipPhone, hears } from './talks.ts'
import { startTwoNodes } from './two-nodes-of-phones.ts'

const RING_MS = SILENCE_MS + 2000
const TARGET_HZ = 1600

type Case = {
  order: { to: string; method?: 'refer' | 'bridge'; whisper?: string }
  /** The second command, sent while the target rings. */
  meanwhile: 'transfer' | 'hangup'
  /** Status and detail of the transfer. */
  result: [string, string | null]
  /** Status and end reason of the call afterwards. */
  becomes: [string, string | null]
}
type Phone = Awaited<ReturnType<typeof baresipPhone>> & { number: string }

/** Starts phones one after another: simultaneous starts could pick the same port. */
async function startPhones(t: TestContext, count: number): Promise<Phone[]> {
  const phones: Phone[] = []
  t.after(() => Promise.all(phones.map((phone) => phone.stop())))
  for (let i = 0; i < count; i++) {
    const number = `+551198888${1000 + i}`
    phones.push({ ...(await baresipPhone({ user: number })), number })
  }
  return phones
}

/** A target that rings, then answers or refuses. */
async function startTarget(t: TestContext, refuse?: string) {
  const scenario = callee({ ringMs: RING_MS, ...(refuse ? { refuse } : {}) })
  const target = await startSipp({ scenario, calls: 20, hz: TARGET_HZ, withinMs: 90_000 })
  t.after(target.stop)
  return target
}

/** The phone calls this node; resolves once the agent has greeted. */
async function callTo(node: PhoneService, phone: Phone): Promise<string> {
  await phone.dial(`sip:${NUMBER}@127.0.0.1:${node.sipPort}`)
  await phone.established()
  return until(`the agent greets ${phone.number}`, async () => {
    const rows = await node.get('/api/calls?status=in_progress')
    const row = rows.find(({ fromNumber }: { fromNumber: string }) => fromNumber === phone.number)
    if (!row?.conversationId) return undefined
    const messages = await node.get(`/api/conversations/messages/${row.conversationId}`)
    return messages.length > 0 && (row.id as string)
  })
}

/** This node's responses to the transfer and to the command sent meanwhile. */
async function transfer(node: PhoneService, callId: string, { order, meanwhile, becomes }: Case) {
  const path = `/api/calls/${callId}`
  const asked = node.post(`${path}/transfer`, order)
  await until('it is being transferred', async () => (await node.get(path)).status === 'transferring')
  const second = await node.post(`${path}/${meanwhile}`, meanwhile === 'transfer' ? order : undefined)
  const { status, json } = await asked
  assert.equal(json.callId, callId, JSON.stringify(json))
  await until(`the call is ${becomes}`, async () => {
    const call = await node.get(path)
    return call.status === becomes[0] && call.endReason === becomes[1]
  })
  return { answer: [status, json.status, json.detail], second: [second.status, second.json.message] }
}

if (usesPostgres)
  test('a transfer to a phone that rings for seconds has the same result through any node', async (t) => {
    const [{ one, two }, phones] = await Promise.all([startTwoNodes(t), startPhones(t, 10)])
    const answers = (await startTarget(t)).uri
    const refuses = (await startTarget(t, '486 Busy Here')).uri
    /** Transfers a call of each node, both through the first node. */
    async function check(given: Case, pair: readonly Phone[]): Promise<void> {
      const results = [one, two].map(async (node, i) => {
        const phone = pair[i] ?? assert.fail('two phones per case')
        const result = await transfer(one, await callTo(node, phone), given)
        if (given.result[0] === 'connected') await hears(phone, TARGET_HZ, 300)
        if (given.meanwhile === 'hangup') await phone.over()
        return result
      })
      const [own, remote] = await Promise.all(results)
      assert.deepEqual(remote, own)
      assert.deepEqual(own, {
        answer: [200, ...given.result],
        second: given.meanwhile === 'hangup' ? [200, undefined] : [409, 'A transfer of this call is in progress'],
      })
    }
    await check(
      {
        order: { to: answers, method: 'bridge' },
        meanwhile: 'hangup',
        result: ['canceled', null],
        becomes: ['completed', 'canceled_by_api'],
      },
      phones.slice(0, 2),
    )
    const connected: Pick<Case, 'result' | 'becomes'> = { result: ['connected', null], becomes: ['in_progress', null] }
    const busy: typeof connected = { result: ['busy', '486 Busy Here'], becomes: ['in_progress', null] }
    const cases: Omit<Case, 'meanwhile'>[] = [
      { order: { to: answers, method: 'bridge' }, ...connected },
      { order: { to: answers, whisper: 'Quer remarcar a consulta.' }, ...connected },
      { order: { to: answers, method: 'refer' }, ...connected, becomes: ['completed', 'transferred'] },
      { order: { to: refuses, method: 'bridge' }, ...busy },
      { order: { to: refuses }, ...busy },
    ]
    // At most eight legs per node: with more, a busy machine refuses to bridge.
    const checks = cases.map((each, i) => check({ ...each, meanwhile: 'transfer' }, phones.slice(i * 2, i * 2 + 2)))
    await Promise.all(checks)
  })
