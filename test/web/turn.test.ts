// A browser that can reach only a TURN server talks through it: a real Chromium and a real coturn, over UDP and TCP,
// with a static password and with one created per call.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { anAgent, startTestApp } from '../app.ts'
import { toneAgent } from '../phone/talks.ts'
import { ended } from '../phone-app.ts'
import { startTurnServer } from '../turn-server.ts'
import { until } from '../until.ts'
import { addressOf } from '../web-caller.ts'
import { openBrowser } from './browser.ts'
import { openSite } from './other-site.ts'

const SECRET = 'a-secret-of-the-turn-server'
let browser: Browser

before(async () => {
  browser = await openBrowser()
})

/** Runs before the page's own code: allows relay candidates only, and records which one was selected. */
function relayAlone(): void {
  const Real = window.RTCPeerConnection
  window.RTCPeerConnection = class extends Real {
    constructor(settings?: RTCConfiguration) {
      super({ ...settings, iceTransportPolicy: 'relay' })
      Object.assign(window, { peer: this })
    }
  }
}

async function wayTaken(): Promise<unknown> {
  const stats = [...(await (window as never as { peer: RTCPeerConnection }).peer.getStats()).values()]
  const transport = stats.find(({ type }) => type === 'transport')
  const pair = stats.find(({ id }) => id === transport?.selectedCandidatePairId)
  const { candidateType, relayProtocol } = stats.find(({ id }) => id === pair?.localCandidateId) ?? {}
  return { candidateType, relayProtocol }
}

for (const protocol of ['udp', 'tcp'] as const)
  test(`the call goes through the TURN relay over ${protocol}`, async () => {
    const isShared = protocol === 'tcp'
    const login = { user: 'ramal', password: 'a-password' }
    const turn = await startTurnServer(isShared ? { secret: SECRET } : login)
    const urls = `turn:127.0.0.1:${turn.port}?transport=${protocol}`
    const known = isShared ? {} : { username: login.user, credential: login.password }
    const agent = toneAgent()
    const env = { ICE_SERVERS: JSON.stringify([{ urls, ...known }]), ...(isShared ? { TURN_SECRET: SECRET } : {}) }
    const app = await startTestApp(env, { converse: agent.converse })
    const { id: agentId } = (await app.ana.post('/api/agents', anAgent)).json
    const { token, iceServers } = (await app.ana.post('/api/web-calls', { agentId })).json

    const site = await openSite(browser, await addressOf(app))
    await site.page.addInitScript(relayAlone)
    await site.open()
    assert.equal(await site.start({ token, transport: 'webrtc', iceServers }), 'started')
    const talk = await agent.next()
    await until('both are loud', async () => {
      const { caller, agent: loud } = await site.levels()
      return caller > 0.01 && loud > 0.3
    })
    assert.deepEqual(await site.page.evaluate(wayTaken), { candidateType: 'relay', relayProtocol: protocol })
    await site.digit('7')
    await until('the agent has the key', () => talk.digits() === '7')
    const user = iceServers[0].username
    await until('the relay knows who it is', () => turn.log().includes(`user <${user}>`))
    await site.stop()
    assert.equal((await ended(app.ana, talk.call.callId)).endReason, 'caller_hangup')
    assert.ok(!app.logs().includes(iceServers[0].credential) && !app.logs().includes(SECRET))
  })
