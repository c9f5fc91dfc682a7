// The hosted widget in a real Chromium, on another origin under a strict content security policy: chat, spoken words
// both ways, keyboard, and the dashboard page for it with the live preview.
import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { widgetTexts } from '../../web/client/widget/texts.ts'
import { publicAddressTexts } from '../../web/src/components/public-address-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { widgetsTexts } from '../../web/src/pages/widgets/widgets-texts.ts'
import { atEnd } from '../app.ts'
import { newDataDir, type Service, startService } from '../service.ts'
import { openClouds } from '../soak/clouds.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import {
  apiOf,
  assertAccessible,
  forgetSounds,
  loudest,
  openBrowser,
  silence,
  visit,
  visitSignedIn,
} from './browser.ts'
import { giveMicrophone, say } from './microphone.ts'
import { openWidgetSite } from './widget-site.ts'

const ANSWER = 'No sábado abrimos das oito ao meio-dia.'
const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')
const t = widgetTexts.pt

let service: Service
let browser: Browser
let key: string
let agentId: string

before(async () => {
  const llm = await startLlm({ answer: (asked) => ({ say: lastSaid(asked) === '' ? 'Olá!' : ANSWER }) })
  atEnd(() => llm.stop())
  const dataDir = newDataDir()
  symlinkSync(models, join(dataDir, 'models'))
  const model = { LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'stand-in' }
  // A fake recognizer returns the same text however much audio a busy machine loses: the widget is under test, not the
  // recognizer.
  const clouds = await openClouds()
  atEnd(() => clouds.stop())
  const ears = { STT_PROVIDER: 'openai', OPENAI_BASE_URL: clouds.url }
  service = await startService(dataDir, { EMBEDDED_VOICE: 'small', ...model, ...ears })
  key = readFileSync(join(dataDir, 'first-api-key'), 'utf8').trim()
  browser = await openBrowser()
  const agent = { name: 'Recepção', systemPrompt: 'Você atende a loja.', language: 'pt-BR', initialSpeech: 'Olá!' }
  agentId = (await api('POST', '/api/agents', agent)).id
})

const api = (...given: Parameters<ReturnType<typeof apiOf>>) => apiOf({ url: service.url, key })(...given)

async function aSite(more: object = {}) {
  const site = await openWidgetSite(service.url)
  const { id } = await api('POST', '/api/widgets', { agentId, name: 'Loja', origins: [site.origin], ...more })
  site.show(id)
  const visitor = await visit(browser, site.url, { language: 'pt' })
  await giveMicrophone(visitor.page)
  const host = new URL(service.url).host
  /** The platform is the only other host, and the policy refuses nothing. */
  const troubles = () => visitor.troubles([`another host: http://${host}/`, `another host: ws://${host}/`])
  return { ...site, ...visitor, troubles, id: id as string }
}
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return (activeElement?.shadowRoot?.activeElement ?? activeElement)?.tagName
  })

test('a visitor chats on a site with a strict policy, by keyboard alone', async () => {
  const { page, url, troubles } = await aSite({ appearance: { greeting: 'Boas-vindas à loja!' } })
  await page.goto(url)
  const launcher = page.getByRole('button', { name: t.open(t.title) })
  await launcher.waitFor()
  await assertAccessible(page, 'the button')
  await page.locator('#link').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: t.title }).waitFor()
  await page.getByRole('log').getByText('Boas-vindas à loja!').waitFor()
  assert.equal(await focused(page), 'TEXTAREA')
  await page.keyboard.type('Vocês abrem no sábado?')
  await page.keyboard.press('Enter')
  await page.getByText(ANSWER).waitFor()
  await assertAccessible(page, 'the chat')
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab')
    assert.notEqual(await focused(page), 'A', 'the focus stays in the panel')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.equal(await focused(page), 'BUTTON')

  await page.reload()
  await launcher.click()
  await page.getByText(ANSWER).waitFor() // the tab's chat continues
  assert.deepEqual(await page.context().cookies(), [])
  assert.deepEqual(troubles(), [])
})

test('a visitor calls: words are heard both ways, and the site gets events', async () => {
  const { page, url, troubles, id } = await aSite()
  await page.goto(url)
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    for (const name of ['open', 'callstart', 'callend', 'close'])
      addEventListener(`ramal:${name}`, () => seen.push(name))
  })
  await page.getByRole('button', { name: t.open(t.title) }).waitFor()
  await page.evaluate(() => void (window as never as { ramal: { call(): void } }).ramal.call())
  await page.getByText(t.inCall, { exact: true }).waitFor({ timeout: 20_000 })
  await until('the greeting is heard', async () => (await loudest(page)) > 0.05, 20_000)
  await page.getByRole('log').getByText('Olá!').waitFor()
  await silence(page)
  await forgetSounds(page)
  await say(page, 'question-pt.wav')
  await page
    .getByText(/que horas/i)
    .waitFor()
    .catch(async () => assert.fail(`the question was not heard: ${JSON.stringify(await api('GET', '/api/calls'))}`))
  await page.getByText(ANSWER).waitFor()
  await until('the answer is heard', async () => (await loudest(page)) > 0.05, 60_000)
  await assertAccessible(page, 'the call')
  await page.getByRole('button', { name: t.mute }).click()
  await page.getByText(t.muted).waitFor()
  await page.getByRole('button', { name: t.hangUp }).click()
  await page.getByText(t.ended).waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(await page.evaluate('window.seen'), ['open', 'callstart', 'callend', 'close'])
  await until('it is counted', async () => (await api('GET', `/api/widgets/${id}/usage`)).calls.used === 1)
  assert.deepEqual(troubles(), [])
})

/** A translucent red square. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

test('a visitor sees the logo and the text of the button, also under the strictest policy', async () => {
  const { page, url, show, id, troubles } = await aSite({ appearance: { logo: LOGO, buttonText: 'Fale com a loja' } })
  await page.goto(url)
  const launcher = page.getByRole('button', { name: t.open('Fale com a loja') })
  await launcher.getByText('Fale com a loja').waitFor()
  const logo = launcher.locator('canvas.logo')
  await logo.waitFor()
  const middle = await logo.evaluate((one: HTMLCanvasElement) =>
    [...(one.getContext('2d')?.getImageData(one.width / 2, one.height / 2, 1, 1).data ?? [])].join(),
  )
  assert.equal(middle, '255,0,0,127')
  await assertAccessible(page, 'the button with logo and text')
  await launcher.click()
  await page.getByRole('dialog').locator('header canvas.logo').waitFor()
  await assertAccessible(page, 'the panel with a logo')

  // The embed code may set another button text.
  show(id, { attributes: 'data-button-text="Vendas"' })
  await page.goto(url)
  await page
    .getByRole('button', { name: t.open('Vendas') })
    .getByText('Vendas')
    .waitFor()
  assert.deepEqual(troubles(), [])
})

test('the sign stays where the logo of an address is refused by the site', async () => {
  const logo = 'https://images.example/logo.png'
  const { page, url } = await aSite({ appearance: { logo } })
  const refused = page.waitForEvent('console', (message) => message.text().includes(logo))
  await page.goto(url)
  assert.match((await refused).text(), /Content Security Policy/)
  const launcher = page.getByRole('button', { name: t.open(t.title) })
  await launcher.locator('svg').waitFor()
  assert.equal(await page.locator('.logo').count(), 0)
})

test('on a phone the panel fills the screen, and a site that is not allowed shows nothing', async () => {
  const { url, id } = await aSite({ channels: ['chat'], appearance: { position: 'left', theme: 'dark' } })
  const { page } = await visit(browser, url, { language: 'pt', screen: 'phone' })
  await page.goto(url)
  await page.getByRole('button', { name: t.open(t.title) }).click()
  const box = await page.getByRole('dialog').boundingBox()
  assert.deepEqual(box, { x: 0, y: 0, width: 390, height: 844 })
  await assertAccessible(page, 'the chat on a phone')

  const other = await openWidgetSite(service.url)
  other.show(id)
  const stranger = await visit(browser, other.url)
  const warning = stranger.page.waitForEvent('console', (message) => message.text().startsWith('Ramal: the widget'))
  await stranger.page.goto(other.url)
  assert.match((await warning).text(), /allowed origins/)
  assert.equal(await stranger.page.locator('[data-ramal-widget]').count(), 0)
})

test('the owner creates a widget, sees it before saving, and copies its code', async () => {
  const w = widgetsTexts.pt
  const { page, troubles } = await visitSignedIn(browser, { url: service.url, key }, { language: 'pt' })
  await page.goto(`/widgets?new=${agentId}`)
  await page.getByRole('textbox', { name: commonTexts.pt.name }).fill('Floricultura')
  await page.getByRole('textbox', { name: w.site }).fill('http://flores.example')
  await page.getByRole('button', { name: commonTexts.pt.create }).click()
  await page.getByText(w.siteWrong).waitFor()
  await page.getByRole('textbox', { name: w.site }).fill('flores.example/loja')
  await page.getByRole('button', { name: commonTexts.pt.create }).click()
  await page.waitForURL(/\/widgets\/wgt_/)
  const preview = page.frameLocator('iframe')
  await preview.getByRole('dialog', { name: widgetTexts.pt.title }).waitFor()
  // Key by key: the preview is redrawn after each key and must not take the focus.
  await page.getByRole('textbox', { name: w.heading }).pressSequentially('Fale com a floricultura')
  await preview.getByRole('dialog', { name: 'Fale com a floricultura' }).waitFor()
  await page.getByRole('textbox', { name: w.buttonText }).fill('Flores já')
  await page.getByRole('textbox', { name: w.logo }).fill('flores.example/logo.png')
  await page.getByRole('button', { name: commonTexts.pt.save }).click()
  await page.getByText(w.logoWrong).waitFor()
  await page.locator('input[type=file]').setInputFiles(join(import.meta.dirname, '../../docs/pictures/home.png'))
  await page.getByRole('img', { name: w.logo }).waitFor()
  await preview.getByRole('dialog').locator('header canvas.logo').waitFor()
  await page.getByText(w.views.closed, { exact: true }).click()
  await preview
    .getByRole('button', { name: widgetTexts.pt.open('Flores já') })
    .locator('canvas.logo')
    .waitFor()
  await assertAccessible(page, 'the settings with a logo')
  await page.getByText(w.views.call, { exact: true }).click()
  await preview.getByRole('button', { name: widgetTexts.pt.startCall }).click()
  await preview.getByText(w.sampleAnswer).waitFor()
  await page.getByRole('button', { name: commonTexts.pt.save }).click()
  await page.getByText(commonTexts.pt.saved).first().waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { origins, appearance } = await api('GET', `/api/widgets/${id}`)
  assert.deepEqual([origins, appearance.title], [['https://flores.example'], 'Fale com a floricultura'])
  assert.equal(appearance.buttonText, 'Flores já')
  assert.match(appearance.logo, /^data:image\/(png|webp);base64,/)
  // The code would load the widget from a loopback address: the page first shows what to configure.
  await page.getByText(publicAddressTexts.pt.title).waitFor()
  assert.equal(await page.getByRole('group', { name: w.snippet }).count(), 0)
  await page.getByRole('button', { name: publicAddressTexts.pt.anyway }).click()
  await page.getByRole('button', { name: commonTexts.pt.copy, exact: true }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, `<script src="${service.url}/widget.js" data-widget="${id}" async></script>`)
  assert.deepEqual(troubles(), [])
})
