// The first ten minutes, in a real browser: from the first start to an agent that hears a spoken question and answers it aloud.
import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { agentWords } from '../../web/src/pages/agents/agent-words.ts'
import { agentsWords } from '../../web/src/pages/agents/agents-words.ts'
import { talkWords } from '../../web/src/pages/talk/talk-words.ts'
import { gateWords } from '../../web/src/shell/gate-words.ts'
import { navigationWords } from '../../web/src/shell/navigation-words.ts'
import { atEnd } from '../app.ts'
import { newDataDir, type Service, startService } from '../service.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { assertAccessible, loudest, microphoneFile, openBrowser, visit } from './browser.ts'

const PASSWORD = 'uma senha bem comprida'
const ANSWER = 'No sábado abrimos das oito ao meio-dia.'
/** He waits until the greeting is over, as callers do; the file plays from the moment the microphone opens. */
const BEFORE_QUESTION_MS = 9000
const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')

let service: Service
let dataDir: string
let browser: Browser

before(async () => {
  const llm = await startLlm({ answer: (asked) => ({ say: lastSaid(asked) === '' ? 'Olá!' : ANSWER }) })
  atEnd(() => llm.stop())
  dataDir = newDataDir()
  symlinkSync(models, join(dataDir, 'models')) // the ears are prepared once for all tests
  service = await startService(dataDir, {
    EMBEDDED_VOICE: 'small',
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'stand-in',
  })
  browser = await openBrowser(microphoneFile('question-pt.wav', BEFORE_QUESTION_MS))
})

test('from the first start to an agent that answers a spoken question', async (t) => {
  const { page, troubles } = await visit(browser, service.url, { language: 'pt' })

  await t.test('the first page asks for an e-mail and a password, and lets one in', async () => {
    await page.goto('/')
    await page.getByRole('heading', { name: gateWords.pt.welcome }).waitFor()
    await assertAccessible(page, 'the first start')
    await page.getByRole('textbox', { name: gateWords.pt.email }).fill('ana@example.com')
    await page.getByLabel(gateWords.pt.password, { exact: false }).first().fill(PASSWORD)
    await page.getByLabel(gateWords.pt.repeat).fill(PASSWORD)
    await page.getByRole('button', { name: gateWords.pt.begin }).click()
    await page.getByRole('link', { name: navigationWords.pt.agents, exact: true }).waitFor()
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'ramal_session')
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    assert.ok(!kept.includes('ramal_') || !/ramal_[A-Za-z0-9]{8}/.test(kept), kept)
  })

  await t.test('an agent is made from a template', async () => {
    await page.getByRole('link', { name: navigationWords.pt.agents, exact: true }).click()
    await page.getByRole('link', { name: agentsWords.pt.newAgent }).first().click()
    await page.getByLabel(agentsWords.pt.name).fill('Recepção')
    await page.getByRole('button', { name: agentsWords.pt.create }).click()
    await page.waitForURL(/\/agents\/agt_/)
    await page.getByRole('link', { name: agentWords.pt.talk }).first().click()
  })

  await t.test('it greets aloud, hears the question, and its answer is written down and heard', async () => {
    await page.getByRole('button', { name: talkWords.pt.start }).click()
    await page.getByText(talkWords.pt.talking).first().waitFor()
    await until('the greeting is heard', async () => (await loudest(page)) > 0.05, 15_000)
    await page
      .getByText(/sábado/i)
      .first()
      .waitFor({ timeout: 60_000 })
    await page.getByText(ANSWER).first().waitFor({ timeout: 60_000 })
    await page.evaluate(() => Object.assign((window as never as { heard: { peak: number } }).heard, { peak: 0 }))
    await until('the answer is heard', async () => (await loudest(page)) > 0.05, 15_000)
    await assertAccessible(page, 'talking')
    await page.getByRole('button', { name: talkWords.pt.hangUp }).click()
    await page.getByText(talkWords.pt.ended).first().waitFor()
  })

  await t.test('the call is kept with its transcript and its sound', async () => {
    await page.getByRole('link', { name: talkWords.pt.openCall }).click()
    await page.locator('main').getByText(ANSWER).first().waitFor()
    await assertAccessible(page, 'the call')
  })
  assert.deepEqual(troubles(), [])
})

test('signing out and in again, by password and by key', async () => {
  const { page, troubles } = await visit(browser, service.url, { language: 'en' })
  await page.goto('/keys')
  await page.getByRole('textbox', { name: gateWords.en.email }).fill('ana@example.com')
  await page.getByLabel(gateWords.en.password).first().fill('not the password')
  await page.getByRole('button', { name: gateWords.en.signIn }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel(gateWords.en.password).first().fill(PASSWORD)
  await page.getByRole('button', { name: gateWords.en.signIn }).click()
  await page.getByRole('heading', { name: navigationWords.en.keys }).waitFor()
  await page.getByRole('button', { name: new RegExp(navigationWords.en.account) }).click()
  await page.getByRole('menuitem', { name: navigationWords.en.signOut }).click()
  await page.getByText(gateWords.en.withKey, { exact: true }).click()
  await assertAccessible(page, 'the sign-in')
  const key = readFileSync(join(dataDir, 'first-api-key'), 'utf8').trim()
  await page.getByRole('textbox', { name: gateWords.en.apiKey }).fill(key)
  await page.getByRole('button', { name: gateWords.en.signIn }).click()
  await page.getByRole('heading', { name: navigationWords.en.keys }).waitFor()
  assert.deepEqual(troubles(['/auth/login']), [])
})
