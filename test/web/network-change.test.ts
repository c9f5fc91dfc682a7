// The network breaks during a web call: a real Chromium reconnects, over WebSocket and WebRTC, and the call resumes.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { anAgent, startTestApp, type TestApp } from '../app.ts'
import { tcpWay, udpWay } from '../cut-way.ts'
import { toneAgent } from '../phone/talks.ts'
import { ended } from '../phone-app.ts'
import { until } from '../until.ts'
import { addressOf, orderOf } from '../web-caller.ts'
import { openBrowser } from './browser.ts'
import { type OtherSite, openSite } from './other-site.ts'

const agent = toneAgent()
let app: TestApp
let browser: Browser
let agentId: string
let port: number

before(async () => {
  app = await startTestApp({}, { converse: agent.converse })
  port = Number(new URL(await addressOf(app)).port)
  agentId = (await app.ana.post('/api/agents', anAgent)).json.id
  browser = await openBrowser()
})

async function goesOn(site: OtherSite, talk: Awaited<ReturnType<typeof agent.next>>): Promise<void> {
  await until('it is taken up again', async () => (await site.types()).includes('resumed'), 30_000)
  await site.forgetLevels()
  await until('the agent is heard again', async () => (await site.levels()).agent > 0.3)
  await site.digit('6')
  await until('the agent has the key', () => talk.digits() === '6')
  await site.stop()
  assert.equal((await ended(app.ana, talk.call.callId)).endReason, 'caller_hangup')
  assert.deepEqual(await site.types(), ['started', 'reconnecting', 'resumed', 'ended'])
}

test('a broken WebSocket is replaced and the call resumes', async () => {
  const way = await tcpWay(port)
  const site = await openSite(browser, way.url)
  await site.open()
  assert.equal(await site.start({ token: await orderOf(app.ana, agentId), transport: 'socket' }), 'started')
  const talk = await agent.next()
  await until('the agent is heard', async () => (await site.levels()).agent > 0.3)
  way.cut()
  await goesOn(site, talk)
})

test('reconnecting too late reports a lost connection', async () => {
  const hasty = toneAgent()
  const other = await startTestApp({}, { converse: hasty.converse, holdMs: 500 })
  const { id } = (await other.ana.post('/api/agents', anAgent)).json
  const way = await tcpWay(Number(new URL(await addressOf(other)).port))
  const site = await openSite(browser, way.url)
  await site.open()
  assert.equal(await site.start({ token: await orderOf(other.ana, id), transport: 'socket' }), 'started')
  const talk = await hasty.next()
  way.shut()
  assert.equal((await ended(other.ana, talk.call.callId)).endReason, 'media_timeout')
  await until('it still tries', async () => (await site.types()).join() === 'started,reconnecting')
  way.open()
  await until('the page knows', async () => (await site.events()).at(-1)?.endReason === 'connection_lost')
})

/** The browser has no other route to the server, nor the server to the browser. */
async function reroute(site: OtherSite): Promise<Awaited<ReturnType<typeof udpWay>>[]> {
  const ways: Awaited<ReturnType<typeof udpWay>>[] = []
  await site.page.route('**/web-calls/webrtc', async (route) => {
    const asked = route.request().postDataJSON()
    const without = (sdp: string) => sdp.replace(/a=candidate:.*\r\n/g, '')
    const response = await route.fetch({ postData: JSON.stringify({ ...asked, sdp: without(asked.sdp) }) })
    const { sdp } = await response.json()
    const theirs = /a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+) typ host/.exec(sdp)?.[1]
    const way = await udpWay(Number(theirs))
    ways.push(way)
    const ours = `a=candidate:1 1 udp 2130706431 127.0.0.1 ${way.port} typ host\r\n`
    const rerouted = without(sdp).replace(/(c=IN IP4 0\.0\.0\.0\r\n)/g, `$1${ours}`)
    await route.fulfill({ response, json: { sdp: rerouted } })
  })
  return ways
}

test('a broken WebRTC connection resumes with an ICE restart', async () => {
  const site = await openSite(browser, await addressOf(app))
  await site.open()
  const ways = await reroute(site)
  assert.equal(await site.start({ token: await orderOf(app.ana, agentId), transport: 'webrtc' }), 'started')
  const talk = await agent.next()
  await until('the agent is heard', async () => (await site.levels()).agent > 0.3)
  assert.ok((ways[0]?.passed() ?? 0) > 10, 'it goes by our way')
  ways[0]?.cut()
  await goesOn(site, talk)
  assert.ok(ways.length >= 2 && (ways.at(-1)?.passed() ?? 0) > 10, 'it went by the new way')
})
