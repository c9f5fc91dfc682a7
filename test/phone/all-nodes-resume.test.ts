// A browser reconnects to its call through another node; nodes stop or die while they are needed.
// @run postgres
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, newPostgresDatabase, startTestApp, usesPostgres } from '../app.ts'
import { AGENT_HZ, ended } from '../phone-app.ts'
import { startPhoneService } from '../phone-service.ts'
import { heardMs, type Sound, tone } from '../phones/spectrum.ts'
import { listenThrough, through, twoApps } from '../two-apps.ts'
import { until } from '../until.ts'
import { orderOf, webCaller } from '../web-caller.ts'
import { webPeer } from '../web-peer.ts'
import { toneAgent } from './talks.ts'

/**
 * How long the tone is audible in the last second only: both nodes share this thread, and analyzing more would block
 * it.
 */
const lastMs = ({ pcm, rateHz }: Sound, hz: number) => heardMs({ pcm: pcm.subarray(-rateHz), rateHz }, hz)

if (usesPostgres) {
  test('a web call goes on through another node, with audio and DTMF, and through a third socket when that node stops', async (t) => {
    const agent = toneAgent()
    const { one, two } = await twoApps({}, { converse: agent.converse })
    const { id } = (await one.ana.post('/api/agents', anAgent)).json
    const token = await orderOf(one.ana, id)
    const resume = (app: typeof one, used = token) => webCaller(app, used, ['ramal.v1', used, 'ramal.resume'])
    const first = await webCaller(one, token)
    t.after(() => first.socket.terminate())
    const talk = await agent.next()
    await first.until('started')
    first.socket.terminate()
    await first.closed

    const second = await resume(two)
    await second.until('resumed')
    await until('the agent is heard', () => lastMs(second.heard(), AGENT_HZ) > 400)
    second.says(tone(1000, 30, 16_000).pcm)
    await until('the caller is heard', () => lastMs(talk.heard(), 1000) > 400)
    second.tell({ type: 'digit', digit: '8' })
    await until('the agent has the digit', () => talk.digits() === '8')

    await two.app.close()
    assert.equal((await second.closed).code, 1006)
    assert.equal(talk.signal.aborted, false)
    const third = await resume(one)
    await third.until('resumed')
    third.tell({ type: 'digit', digit: '9' })
    await until('the agent has the next digit', () => talk.digits() === '89')
    third.tell({ type: 'hangup' })
    assert.equal((await third.until('ended')).endReason, 'caller_hangup')
    await ended(one.ana, talk.call.callId)
  })

  test('what the browser and the call say at their end passes the relay', async (t) => {
    const agent = toneAgent()
    const { one, two } = await twoApps({}, { converse: agent.converse })
    const { id } = (await one.ana.post('/api/agents', anAgent)).json
    async function relayed() {
      const token = await orderOf(one.ana, id)
      const first = await webCaller(one, token)
      t.after(() => first.socket.terminate())
      const talk = await agent.next()
      await first.until('started')
      const protocols = ['ramal.v1', token, 'ramal.resume']
      const second = await webCaller(two, token, protocols)
      await second.until('resumed')
      assert.equal((await first.closed).code, 1006, 'the socket that had not noticed the break')
      return { talk, second, again: () => webCaller(two, token, protocols) }
    }
    const leaves = await relayed()
    leaves.second.socket.close(1001)
    assert.equal((await ended(one.ana, leaves.talk.call.callId)).endReason, 'caller_hangup')
    assert.equal((await (await leaves.again()).closed).code, 4409)

    const hungUp = await relayed()
    await one.ana.post(`/api/calls/${hungUp.talk.call.callId}/hangup`)
    assert.equal((await hungUp.second.until('ended')).endReason, 'canceled_by_api')
    assert.equal((await hungUp.second.closed).code, 1000)

    const unused = await orderOf(one.ana, id)
    assert.equal((await (await webCaller(two, unused, ['ramal.v1', unused, 'ramal.resume'])).closed).code, 4409)
  })

  test('ICE is restarted through another node, and the audio goes to the node of the call', async (t) => {
    const agent = toneAgent()
    const { one, two } = await twoApps({}, { converse: agent.converse })
    const { id } = (await one.ana.post('/api/agents', anAgent)).json
    const token = await orderOf(one.ana, id)
    const offerTo = ({ anonymous }: typeof one, body: object) =>
      anonymous({
        method: 'POST',
        url: '/web-calls/webrtc',
        payload: JSON.stringify(body),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    const peer = await webPeer('opus', { hz: 1000 })
    t.after(() => peer.close())
    await peer.accept((await offerTo(one, { sdp: peer.offer })).json.sdp)
    const talk = await agent.next()
    await until('the agent is heard', () => heardMs(peer.heard(), AGENT_HZ) > 300)
    assertError(await offerTo(two, { sdp: 'x', isRestart: true }), 400)
    const answer = await offerTo(two, { sdp: await peer.again(), isRestart: true })
    assert.equal(answer.status, 200, answer.text)
    await peer.accept(answer.json.sdp)
    await until('it is connected again', () => peer.state() === 'connected')
    const before = heardMs(peer.heard(), AGENT_HZ)
    await until('the agent is heard on', () => heardMs(peer.heard(), AGENT_HZ) > before + 500)
    peer.tell({ type: 'hangup' })
    await ended(one.ana, talk.call.callId)
  })

  test('a killed node is named by the error of every command, and its listeners are told', async (t) => {
    const env = { DATABASE_URL: await newPostgresDatabase(), MASTER_KEY: 'm'.repeat(32) }
    const stt = { STT_PROVIDER: 'deepgram', DEEPGRAM_API_KEY: 'none', DEEPGRAM_BASE_URL: 'http://127.0.0.1:9' }
    const one = await startPhoneService({ ...env, ...stt, NODE_NAME: 'killed-node' })
    const two = await startTestApp({ ...env, NODE_NAME: 'other-node' })
    const agent = { name: 'Ana', systemPrompt: 'x', initialSpeech: 'Olá!', ttsProvider: 'provider_b' }
    const { json } = await one.post('/api/agents', agent)
    const { token } = (await one.post('/api/web-calls', { agentId: json.id })).json
    const at = { app: { listen: async () => one.url } } as Parameters<typeof webCaller>[0]
    const caller = await webCaller(at, token)
    t.after(() => caller.socket.terminate())
    const { callId } = (await caller.until('started')) as unknown as { callId: string }
    await caller.until('said')
    const client = { key: one.key } as Client
    const ask = through(two, client)
    const ear = await listenThrough(t, two, client, callId)
    await until('it is heard', () => ear.heard.frames > 5)
    assert.equal((await ask(`/api/calls/${callId}/say`, { text: 'Oi.' })).status, 200)

    await one.kill('SIGKILL')
    // Otherwise its row would be closed when the lease expires.
    const leaseUntil = new Date(Date.now() + 300_000).toISOString()
    await two.database.db.updateTable('calls').set({ leaseUntil }).where('id', '=', callId).execute()
    assert.equal(await ear.closed, 4503)
    const [late, ...answers] = await Promise.all([
      listenThrough(t, two, client, callId),
      ask(`/api/calls/${callId}/say`, { text: 'x' }),
      ask(`/api/calls/${callId}/transfer`, { to: '+5511999990000' }),
    ])
    assert.equal(late.refused, 503)
    for (const answer of answers) {
      assertError(answer, 503, 'Another node (killed-node) runs this call and does not answer')
      assert.equal(answer.headers['x-error-code'], 'call_other_node;node="killed-node"')
    }
  })
}
