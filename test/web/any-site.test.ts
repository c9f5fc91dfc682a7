// An agent on another website: a page of another origin with a strict CSP loads the browser client and talks, over
// WebSocket and WebRTC, in a real Chromium.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { levelDb } from '../../src/audio/pcm.ts'
import { anAgent, startTestApp, type TestApp } from '../app.ts'
import { recordingOf, toneAgent } from '../phone/talks.ts'
import { AGENT_HZ, ended } from '../phone-app.ts'
import { heardMs } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { addressOf, orderOf } from '../web-caller.ts'
import { openBrowser } from './browser.ts'
import { type OtherSite, openSite } from './other-site.ts'

const agent = toneAgent()
let app: TestApp
let browser: Browser
let agentId: string
let address: string

before(async () => {
  app = await startTestApp({}, { converse: agent.converse })
  address = await addressOf(app)
  agentId = (await app.ana.post('/api/agents', anAgent)).json.id
  browser = await openBrowser()
})

async function aSite(): Promise<OtherSite> {
  const site = await openSite(browser, address)
  await site.open()
  return site
}

for (const transport of ['socket', 'webrtc'] as const)
  test(`a page of another origin talks to an agent over ${transport}`, async () => {
    const site = await aSite()
    const token = await orderOf(app.ana, agentId)
    assert.equal(await site.start({ token, transport }), 'started')
    const talk = await agent.next()
    const { callId } = talk.call
    await site.digit('4')
    await until('the agent has the key', () => talk.digits() === '4')
    await until('both are loud', async () => {
      const { caller, agent: loud } = await site.levels()
      return caller > 0.01 && loud > 0.3
    })
    const { length } = talk.heard().pcm
    await until('for a second', () => talk.heard().pcm.length > length + talk.heard().rateHz)
    await site.stop()
    const record = await ended(app.ana, callId)
    assert.equal(record.endReason, 'caller_hangup')
    assert.deepEqual(await site.types(), ['started', 'ended'])
    const { left, right } = await recordingOf(app as never, app.ana, callId)
    assert.ok(levelDb(left.pcm) > -60, `the microphone is on the recording: ${levelDb(left.pcm)} dB`)
    assert.ok(heardMs(right, AGENT_HZ) > 300, `the agent too: ${heardMs(right, AGENT_HZ)} ms`)
    assert.equal(await site.start({ token, transport }), '409 This token was used before')
  })

test('the page gets an event when the agent hangs up', async () => {
  const site = await aSite()
  assert.equal(await site.start({ token: await orderOf(app.ana, agentId), transport: 'socket' }), 'started')
  const talk = await agent.next()
  await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
  await until('the page knows', async () => (await site.events()).at(-1)?.endReason === 'agent_ended')
})

test('a page that cannot play audio gets an error instead of waiting forever', async () => {
  const site = await aSite()
  await site.page.evaluate(() => {
    AudioContext.prototype.resume = () => new Promise(() => {})
  })
  const told = await site.start({ token: await orderOf(app.ana, agentId), transport: 'socket' })
  assert.match(told, /cannot play audio/)
})
