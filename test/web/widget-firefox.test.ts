// The hosted widget in a stock Firefox, on another origin under a strict content security policy: chat, and a call with
// audio both ways.
// @run rest
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelDb } from '../../src/audio/pcm.ts'
import { widgetTexts } from '../../web/client/widget/texts.ts'
import { anAgent, startTestApp } from '../app.ts'
import { recordingOf, toneAgent } from '../phone/talks.ts'
import { AGENT_HZ, ended } from '../phone-app.ts'
import { heardMs } from '../phones/spectrum.ts'
import { until } from '../until.ts'
import { addressOf } from '../web-caller.ts'
import { openFirefox } from './firefox.ts'
import { openWidgetSite } from './widget-site.ts'

const t = widgetTexts.en
const panel = `document.querySelector('[data-ramal-widget]').shadowRoot`
const press = (label: string) =>
  `[...${panel}.querySelectorAll('button')].find((one) => (one.ariaLabel ?? one.textContent) === ${JSON.stringify(label)}).click()`
const text = `${panel}.querySelector('.panel').innerText`

test('a visitor with Firefox chats and calls on a site with a strict policy', async () => {
  const agent = toneAgent()
  const app = await startTestApp({}, { converse: agent.converse })
  const server = await addressOf(app)
  const prompt = 'You are Sam.\n\nWe are open from 9 to 5.'
  const { id: agentId } = (await app.ana.post('/api/agents', { ...anAgent, language: 'en-US', systemPrompt: prompt }))
    .json
  const site = await openWidgetSite(server)
  const { id } = (await app.ana.post('/api/widgets', { agentId, name: 'Shop', origins: [site.origin] })).json
  // A test machine has no speakers, and Firefox then runs no audio worklet, which the widget would take five seconds to
  // notice.
  site.show(id, { lang: 'en', attributes: 'data-transport="webrtc"' })
  const firefox = await openFirefox()
  await firefox.open(site.url)
  await until('the button is there', () => firefox.evaluate(`document.querySelector('[data-ramal-widget]') !== null`))

  await firefox.evaluate(`ramal.open()`)
  await firefox.evaluate(`void (${panel}.querySelector('textarea').value = 'When are you open?')`)
  await firefox.evaluate(press(t.send))
  await until(
    'the agent answers',
    async () => (await firefox.evaluate<string>(text)).includes('open from 9 to 5'),
    20_000,
  )

  await firefox.evaluate(`void ramal.call()`)
  const shown = () => firefox.evaluate<string>(text)
  const talk = await agent
    .next()
    .catch(async (error) => assert.fail(`${error.message}: ${await shown()} ${firefox.errors.join(' ')}`))
  talk.call.onUpdate?.({ type: 'said', who: 'agent', text: 'Good morning', at: '' })
  await until(
    'the words are shown',
    async () => (await firefox.evaluate<string>(text)).includes('Good morning'),
    20_000,
  )
  await until('the microphone is heard', () => levelDb(talk.heard().pcm) > -60, 20_000)
  await until('a second of it', () => talk.heard().pcm.length > talk.heard().rateHz, 20_000)
  await firefox.evaluate(press(t.hangUp))
  await until('the end is shown', async () => (await firefox.evaluate<string>(text)).includes(t.ended))
  const record = await ended(app.ana, talk.call.callId)
  assert.equal(record.endReason, 'caller_hangup')
  const { right } = await recordingOf(app as never, app.ana, talk.call.callId)
  assert.ok(heardMs(right, AGENT_HZ) > 300, 'the agent was sent')
  assert.deepEqual(firefox.errors, [])
})
