// Two processes on one PostgreSQL behind Kamailio: load balancing, hangup through either node, and the death of one.
// @run postgres
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newPostgresDatabase, usesPostgres } from '../app.ts'
import { agentOnService, answeredCall, NUMBER, type PhoneService, startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'
import { startBalancer } from '../phones/kamailio.ts'
import { runSipp, startSipp } from '../phones/sipp.ts'
import { callee, caller } from '../phones/sipp-scenarios.ts'
import { until } from '../until.ts'

type Row = { id: string; status: string; endReason: string | null; endedAt: string | null }

/** 127.0.0.1 is the address of the nodes and the proxy. */
const OUTSIDE = '127.0.0.21'

async function twoNodes(): Promise<[PhoneService, PhoneService]> {
  const env = {
    DATABASE_URL: await newPostgresDatabase(),
    MASTER_KEY: randomBytes(24).toString('hex'),
    SIP_PROXIES: '127.0.0.1',
  }
  const one = await startPhoneService(env)
  const two = await startPhoneService(env, { key: one.key })
  return [one, two]
}

const knows = (node: PhoneService, carrier: Awaited<ReturnType<typeof openByHand>>) =>
  answeredCall(carrier, node.sipPort).then((call) => call.bye())

if (usesPostgres) {
  test('calls are balanced over two nodes, and continue through the other when one dies', async (t) => {
    const [one, two] = await twoNodes()
    const carrier = await openByHand(t, OUTSIDE)
    await agentOnService(one, { host: OUTSIDE, port: carrier.port }, NUMBER)
    for (const node of [one, two]) await knows(node, carrier)
    const balancer = await startBalancer({ nodes: [one.sipPort, two.sipPort] })
    t.after(balancer.stop)
    const to = `127.0.0.1:${balancer.port}`
    const call = { scenario: caller({ talkMs: 100 }), to, address: OUTSIDE, service: NUMBER }
    // Few enough at once that a busy node refuses none. The Call-ID selects the node: all twenty land on one node with
    // a chance of one in half a million.
    const { messages } = await runSipp({ ...call, calls: 20, rate: 10, atOnce: 6 })
    const taken = (node: PhoneService) => messages.includes(`Contact: <sip:${NUMBER}@127.0.0.1:${node.sipPort}>`)
    assert.ok(taken(one) && taken(two), 'both have had calls')

    // One call on each node, then one node is killed.
    const held = await Promise.all([answeredCall(carrier, one.sipPort), answeredCall(carrier, two.sipPort)])
    await until('both are in progress', async () => (await two.get('/api/calls?status=in_progress')).length === 2)
    await one.kill('SIGKILL')
    const { statistics } = await runSipp({ ...call, calls: 10, rate: 2, withinMs: 60_000 })
    assert.equal(statistics.get('SuccessfulCall(C)'), '10')
    const orphan = await until('the call of the dead node is closed', async () =>
      (await two.get('/api/calls')).find((row: Row) => row.endReason === 'orphaned'),
    )
    assert.equal(orphan.status, 'failed')
    assert.equal((await two.get('/api/calls?status=in_progress')).length, 1, 'the other call goes on')
    assert.equal((await (held[1] as NonNullable<(typeof held)[1]>).bye()).status, 200)
    await two.kill('SIGTERM')
  })

  test('a call is hung up through the node that does not run it', async (t) => {
    const [one, two] = await twoNodes()
    const carrier = await openByHand(t, OUTSIDE)
    const { agentId } = await agentOnService(one, { host: OUTSIDE, port: carrier.port }, NUMBER)
    const call = await answeredCall(carrier, one.sipPort)
    const [row] = (await two.get('/api/calls')).filter(({ endedAt }: Row) => endedAt === null)
    assert.equal((await two.post(`/api/calls/${row.id}/hangup`)).status, 200)
    await call.over(8000)
    const end = await one.get(`/api/calls/${row.id}`)
    assert.deepEqual([end.status, end.endReason], ['completed', 'canceled_by_api'])
    // Plus one call that is still ringing.
    const phone = await startSipp({ scenario: callee({ ringMs: 20_000 }) })
    t.after(phone.stop)
    const trunk = (
      await one.post('/api/trunks', { name: 'b', host: '127.0.0.1', port: phone.port, optionsPing: false })
    ).json
    const agent = (await one.post('/api/agents', { name: 'B', systemPrompt: 'x' })).json
    await one.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: trunk.id, trunkType: 'outbound' })
    assert.ok(agentId)
    const callId = await until('it rings', async () => {
      const { json } = await one.post('/api/calls/outbound', { agentId: agent.id, toNumber: '+5511999990000' })
      const state = await until('it is tried', async () => {
        const { status } = await two.get(`/api/calls/${json.callId}`)
        return status !== 'initiating' && status
      })
      return state === 'ringing' && json.callId
    })
    assert.equal((await two.post(`/api/calls/${callId}/hangup`)).json.status, 'canceled')
    await until('the phone is told', () => /CANCEL sip:/.test(phone.soFar().messages), 8000)
    await Promise.all([one.kill('SIGTERM'), two.kill('SIGTERM')])
  })
}
