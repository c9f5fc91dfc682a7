// An agent on somebody else's web site: a page of another origin, with a strict policy, loads the browser client and talks, by WebSocket and
// by WebRTC, in a real Chromium.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { levelDb } from '../../src/audio/measure.ts'
import { anAgent, atEnd, startTestApp, type TestApp } from '../app.ts'
import { recordingOf, toneAgent } from '../phone/talks.ts'
import { AGENT_HZ, ended } from '../phone-app.ts'
import { heardMs } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { addressOf, orderOf } from '../web-caller.ts'
import { openBrowser } from './browser.ts'

type Site = {
  events: { type: string; endReason?: string }[]
  levels: { caller: number; agent: number }
  call: { stop(): void; digit(d: string): void }
}
const site = () => (window as never as { site: Site }).site

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

/** A site of its own: nothing but its page, which may load and reach the platform alone. */
async function aSite(): Promise<Page> {
  const policy = `default-src 'none'; script-src ${address}; connect-src ${address} ${address.replace('http', 'ws')}`
  const server = createServer((_req, res) => {
    res
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      .end('<!doctype html><p>Shop</p>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => server.close())
  const context = await browser.newContext({ permissions: ['microphone'], bypassCSP: false })
  atEnd(() => context.close().catch(() => {}))
  const page = await context.newPage()
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  return page
}

async function start(page: Page, token: string, transport: 'socket' | 'webrtc'): Promise<string> {
  return page.evaluate(
    async ({ server, token, transport }) => {
      const { startWebCall } = await import(`${server}/client/web-call.js`)
      const site: Site = { events: [], levels: { caller: 0, agent: 0 }, call: undefined as never }
      ;(window as never as { site: Site }).site = site
      const onLevel = (levels: Site['levels']) => {
        site.levels.caller = Math.max(site.levels.caller, levels.caller)
        site.levels.agent = Math.max(site.levels.agent, levels.agent)
      }
      try {
        site.call = await startWebCall({
          server,
          token,
          transport,
          onEvent: (e: never) => site.events.push(e),
          onLevel,
        })
        return 'started'
      } catch (error) {
        return `${(error as { status?: number }).status} ${(error as Error).message}`
      }
    },
    { server: address, token, transport },
  )
}

for (const transport of ['socket', 'webrtc'] as const)
  test(`a page of another site talks with an agent by ${transport}`, async () => {
    const page = await aSite()
    const token = await orderOf(app.ana, agentId)
    assert.equal(await start(page, token, transport), 'started')
    const talk = await agent.next()
    const { callId } = talk.call
    await page.evaluate(`(${site})().call.digit('4')`)
    await until('the agent has the key', () => talk.digits() === '4')
    const since = performance.now()
    await until('both are loud, for a while', async () => {
      const { caller, agent: loud } = (await page.evaluate(`(${site})().levels`)) as Site['levels']
      return caller > 0.01 && loud > 0.3 && performance.now() - since > 1200
    })
    await page.evaluate(`(${site})().call.stop()`)
    const record = await ended(app.ana, callId)
    assert.equal(record.endReason, 'caller_hangup')
    const events = (await page.evaluate(`(${site})().events`)) as Site['events']
    assert.deepEqual(
      events.map(({ type }) => type),
      ['started', 'ended'],
    )
    const { left, right } = await recordingOf(app as never, app.ana, callId)
    assert.ok(levelDb(left.pcm) > -60, `the microphone is on the recording: ${levelDb(left.pcm)} dB`)
    assert.ok(heardMs(right, AGENT_HZ) > 300, `the agent too: ${heardMs(right, AGENT_HZ)} ms`)
    assert.equal(await start(page, token, transport), '409 This token was used before')
  })

test('the page is told when the agent hangs up', async () => {
  const page = await aSite()
  assert.equal(await start(page, await orderOf(app.ana, agentId), 'socket'), 'started')
  const talk = await agent.next()
  await talk.transport.act({ do: 'hangup', reason: 'agent_ended' })
  const last = () => page.evaluate(`(${site})().events.at(-1)`) as Promise<Site['events'][number]>
  await until('the page knows', async () => (await last()).endReason === 'agent_ended')
})
