// Onboarding in a real browser: from first-time setup to an agent that answers a spoken question.
// @run rest
import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { agentTexts } from '../../web/src/pages/agents/agent-texts.ts'
import { agentsTexts } from '../../web/src/pages/agents/agents-texts.ts'
import { talkTexts } from '../../web/src/pages/talk/talk-texts.ts'
import { authTexts } from '../../web/src/shell/auth-texts.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { atEnd } from '../app.ts'
import { newDataDir, type Service, startService } from '../service.ts'
import { openClouds } from '../soak/clouds.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { assertAccessible, forgetSounds, loudest, openBrowser, silence, visit } from './browser.ts'
import { giveMicrophone, say } from './microphone.ts'

const PASSWORD = 'uma senha bem comprida'
const ANSWER = 'No sábado abrimos das oito ao meio-dia.'
const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')

let service: Service
let dataDir: string
let browser: Browser

before(async () => {
  const llm = await startLlm({ answer: (asked) => ({ say: lastSaid(asked) === '' ? 'Olá!' : ANSWER }) })
  atEnd(() => llm.stop())
  // A fake recognizer returns the same text however much audio a busy machine loses; test/speech covers the embedded
  // recognizer.
  const clouds = await openClouds()
  atEnd(() => clouds.stop())
  dataDir = newDataDir()
  symlinkSync(models, join(dataDir, 'models')) // models are prepared once for all tests
  service = await startService(dataDir, {
    EMBEDDED_VOICE: 'small',
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'stand-in',
    STT_PROVIDER: 'openai',
    OPENAI_BASE_URL: clouds.url,
  })
  browser = await openBrowser()
})

test('from first-time setup to an agent that answers a spoken question', async (t) => {
  const { page, troubles } = await visit(browser, service.url, { language: 'pt' })
  await giveMicrophone(page)

  await t.test('setup asks for an email and a password, and signs in', async () => {
    await page.goto('/')
    await page.getByRole('heading', { name: authTexts.pt.welcome }).waitFor()
    await assertAccessible(page, 'the first start')
    await page.getByRole('textbox', { name: authTexts.pt.email }).fill('ana@example.com')
    await page.getByLabel(authTexts.pt.password, { exact: false }).first().fill(PASSWORD)
    await page.getByLabel(authTexts.pt.repeat).fill(PASSWORD)
    await page.getByRole('button', { name: authTexts.pt.begin }).click()
    await page.getByRole('link', { name: navigationTexts.pt.agents, exact: true }).waitFor()
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'ramal_session')
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    assert.ok(!kept.includes('ramal_') || !/ramal_[A-Za-z0-9]{8}/.test(kept), kept)
  })

  await t.test('create an agent from a template', async () => {
    await page.getByRole('link', { name: navigationTexts.pt.agents, exact: true }).click()
    await page.getByRole('link', { name: agentsTexts.pt.newAgent }).first().click()
    await page.getByLabel(agentsTexts.pt.name).fill('Recepção')
    await page.getByRole('button', { name: agentsTexts.pt.create }).click()
    await page.waitForURL(/\/agents\/agt_/)
    await page.getByRole('link', { name: agentTexts.pt.talk }).first().click()
  })

  await t.test('the agent greets, hears the question, and its reply is transcribed and played', async () => {
    await page.getByRole('button', { name: talkTexts.pt.start }).click()
    await page.getByText(talkTexts.pt.talking).first().waitFor()
    await until('the greeting is heard', async () => (await loudest(page)) > 0.05, 30_000)
    await page.getByRole('log').getByText('Como posso ajudar?').waitFor()
    await silence(page)
    await forgetSounds(page)
    await say(page, 'question-pt.wav')
    await page
      .getByText(/que horas/i)
      .first()
      .waitFor()
    await page.getByText(ANSWER).first().waitFor()
    await until('the answer is heard', async () => (await loudest(page)) > 0.05, 60_000)
    await assertAccessible(page, 'talking')
    await page.getByRole('button', { name: talkTexts.pt.hangUp }).click()
    await page.getByText(talkTexts.pt.ended).first().waitFor()
  })

  await t.test('the call is stored with transcript and recording', async () => {
    await page.getByRole('link', { name: talkTexts.pt.openCall }).click()
    await page.locator('main').getByText(ANSWER).first().waitFor()
    await assertAccessible(page, 'the call')
  })
  assert.deepEqual(troubles(), [])
})

test('sign out and in again, with password and with API key', async () => {
  const { page, troubles } = await visit(browser, service.url, { language: 'en' })
  await page.goto('/keys')
  await page.getByRole('textbox', { name: authTexts.en.email }).fill('ana@example.com')
  await page.getByLabel(authTexts.en.password).first().fill('not the password')
  await page.getByRole('button', { name: authTexts.en.signIn }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel(authTexts.en.password).first().fill(PASSWORD)
  await page.getByRole('button', { name: authTexts.en.signIn }).click()
  await page.getByRole('heading', { name: navigationTexts.en.keys }).waitFor()
  await page.getByRole('button', { name: new RegExp(navigationTexts.en.account) }).click()
  await page.getByRole('menuitem', { name: navigationTexts.en.signOut }).click()
  await page.getByText(authTexts.en.withKey, { exact: true }).click()
  await assertAccessible(page, 'the sign-in')
  const key = readFileSync(join(dataDir, 'first-api-key'), 'utf8').trim()
  await page.getByRole('textbox', { name: authTexts.en.apiKey }).fill(key)
  await page.getByRole('button', { name: authTexts.en.signIn }).click()
  await page.getByRole('heading', { name: navigationTexts.en.keys }).waitFor()
  assert.deepEqual(troubles(['/auth/login']), [])
})
