// A live call on the page: it appears by itself, is read and heard, gets a spoken message, and is ended.
// @run rest
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { levelDb } from '../../src/audio/pcm.ts'
import { readWav } from '../../src/audio/wav.ts'
import { phoneTexts } from '../../web/src/components/phone-texts.ts'
import { transcriptTexts } from '../../web/src/components/transcript-texts.ts'
import { waterfallTexts } from '../../web/src/components/waterfall-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { callTexts } from '../../web/src/pages/calls/call-texts.ts'
import { liveTexts } from '../../web/src/pages/live/live-texts.ts'
import { atEnd } from '../app.ts'
import { openClouds } from '../soak/clouds.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { webCaller } from '../web-caller.ts'
import { apiOf, assertAccessible, forgetSounds, loudest, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const t = liveTexts.en
const OPENING = 'Bom dia, em que posso ajudar?'
const ANSWER = 'No sábado abrimos das oito ao meio-dia.'
const WORDS = 'Um momento, por favor, vou verificar.'
const AUDIBLE = 0.02
const question = readWav(readFileSync(join(import.meta.dirname, '..', 'fixtures', 'question-pt.wav'))).pcm

let demo: Demo
let browser: Browser

before(async () => {
  const llm = await startLlm({ answer: (asked) => ({ say: lastSaid(asked) === '' ? OPENING : ANSWER }) })
  atEnd(() => llm.stop())
  const model = { LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'stand-in' }
  // A fake recognizer returns the same text however much audio a busy machine loses: the page is under test, not the
  // recognizer.
  const clouds = await openClouds()
  atEnd(() => clouds.stop())
  demo = await startDemo({ ...model, STT_PROVIDER: 'openai', OPENAI_BASE_URL: clouds.url })
  browser = await openBrowser()
})

test('a live call appears by itself, is read, heard, spoken into and hung up', async (t1) => {
  const ask = apiOf(demo)
  const agent = { name: 'Plantão', systemPrompt: 'Seja breve.', language: 'pt-BR', initialSpeech: OPENING }
  const { id: agentId } = await ask('POST', '/api/agents', agent)
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  await page.goto('/live')
  await page.getByText(t.now(1)).waitFor()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))

  const { token } = await ask('POST', '/api/web-calls', { agentId })
  const caller = await webCaller(demo, token)
  const call = page.getByRole('region', { name: t.transcript })

  await t1.test('it appears without a reload, and what is said is written down as it is said', async () => {
    await page.getByRole('button', { name: /Plantão/ }).click()
    await call.getByText(OPENING).waitFor()
    await call.getByText(callTexts.en.status.in_progress).waitFor()
  })

  await t1.test('one listens in: the caller is heard, and what he says is read', async () => {
    await caller.until('said', ({ who }) => who === 'agent')
    await call.getByRole('button', { name: t.listen }).click()
    await call.getByText(t.listening).waitFor()
    caller.says(question)
    await until('he is heard', async () => (await loudest(page)) > AUDIBLE)
    await caller.until('said', ({ text }) => text === ANSWER)
    await call
      .getByText(/que horas/i)
      .first()
      .waitFor()
    await call.getByText(ANSWER).first().waitFor()
    await assertAccessible(page, 'a live call')
  })

  await t1.test('one speaks through the agent: the caller hears it, and it is part of the transcript', async () => {
    const before = caller.heard().pcm.length
    await forgetSounds(page)
    await call.getByRole('textbox', { name: t.say }).fill(WORDS)
    await call.getByRole('button', { name: t.sayGo, exact: true }).click()
    await page.getByText(t.said).waitFor()
    assert.equal(await call.getByRole('textbox', { name: t.say }).inputValue(), '')
    await caller.until('said', ({ text }) => text === WORDS)
    const heard = caller.heard().pcm.subarray(before)
    assert.ok(levelDb(heard) > -45, `the caller heard ${levelDb(heard)} dB`)
    await until('so does who listens in', async () => (await loudest(page)) > AUDIBLE)
    const line = call.getByRole('listitem').filter({ hasText: WORDS })
    await line.getByText(transcriptTexts.en.byOperator).waitFor()
    assert.equal(await call.getByText(transcriptTexts.en.byOperator).count(), 1, 'only these words are the operator’s')
  })

  await t1.test('a call is transferred to a national number, as one types it', async () => {
    const orders: unknown[] = []
    await page.route('**/transfer', (route) => {
      orders.push(route.request().postDataJSON())
      return route.fulfill({ json: { callId: 'call_1', status: 'no_answer', detail: null } })
    })
    await call.getByRole('button', { name: t.transfer, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: t.transferTitle })
    await dialog.getByRole('button', { name: t.transferGo, exact: true }).click()
    await dialog.getByText(phoneTexts.en.wrong).waitFor()
    await dialog.getByRole('combobox', { name: phoneTexts.en.country }).fill('Brazil')
    await page.getByRole('option', { name: 'Brazil (+55)' }).click()
    await dialog.getByRole('textbox', { name: t.number }).fill('(11) 3030-4040')
    await dialog.getByText('+55 11 3030-4040').waitFor()
    await assertAccessible(page, 'the transfer')
    await dialog.getByRole('button', { name: t.transferGo, exact: true }).click()
    await dialog.getByText(t.outcome.no_answer).waitFor()
    await dialog.getByText(t.targets.sip).click()
    await dialog.getByRole('textbox', { name: t.targets.sip }).fill('200@pbx.example')
    await dialog.getByRole('button', { name: t.transferGo, exact: true }).click()
    await until('both are ordered', () => orders.length === 2)
    assert.deepEqual(orders, [{ to: '+551130304040' }, { to: 'sip:200@pbx.example' }])
    await dialog.getByRole('button', { name: commonTexts.en.cancel }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  await t1.test('hanging up asks first, and then ends the call', async () => {
    await call.getByRole('button', { name: t.hangUp }).click()
    const dialog = page.getByRole('dialog', { name: t.hangUpQuestion })
    await dialog.getByRole('button', { name: commonTexts.en.cancel }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.ok(!caller.told.some(({ type }) => type === 'ended'))
    await call.getByRole('button', { name: t.hangUp }).click()
    await dialog.getByRole('button', { name: t.hangUp }).click()
    await call.getByText(t.over).waitFor()
    await caller.until('ended')
    assert.equal(await page.evaluate(() => 'isSamePage' in window), true, 'the page was never loaded anew')
  })

  await t1.test('its page has the recording, what was said, and how long the answer took', async () => {
    await call.getByRole('link', { name: t.openCall }).first().click()
    await page.getByRole('region', { name: callTexts.en.recording }).waitFor()
    await forgetSounds(page)
    await page.getByRole('button', { name: callTexts.en.play, exact: true }).click()
    await until('the recording is heard', async () => (await loudest(page)) > AUDIBLE)
    await page
      .getByRole('region', { name: callTexts.en.recording })
      .getByText(/^0:\d\d \/ 0:\d\d$/)
      .waitFor()
    await page.getByRole('main').getByText(ANSWER).first().waitFor()
    await page.getByRole('tab', { name: callTexts.en.latencyTab }).click()
    const times = page.getByRole('region', { name: waterfallTexts.en.title })
    await times
      .getByRole('button', { name: /^Turn \d.* ms/ })
      .first()
      .waitFor()
    await times.getByText(waterfallTexts.en.stage.recognition).first().waitFor()
  })
  assert.deepEqual(troubles(), [])
})
