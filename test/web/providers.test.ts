// Providers on the page, from the first start to an agent that answers, fails over when one fails and keeps working
// after its removal, without a restart; and the device card of a server that listens on loopback.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { incidentBannerTexts } from '../../web/src/components/incident-banner-texts.ts'
import { providerHealthTexts } from '../../web/src/components/provider-health-texts.ts'
import { transcriptTexts } from '../../web/src/components/transcript-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { agentsTexts } from '../../web/src/pages/agents/agents-texts.ts'
import { chainTexts } from '../../web/src/pages/agents/providers/chain-texts.ts'
import { devicesTexts } from '../../web/src/pages/devices/devices-texts.ts'
import { linkDeviceTexts } from '../../web/src/pages/devices/link-device-texts.ts'
import { providerFormTexts } from '../../web/src/pages/providers/provider-form-texts.ts'
import { providersTexts } from '../../web/src/pages/providers/providers-texts.ts'
import { vendorOf } from '../../web/src/pages/providers/vendors.ts'
import { settingsTexts } from '../../web/src/pages/settings/settings-texts.ts'
import { talkTexts } from '../../web/src/pages/talk/talk-texts.ts'
import { authTexts } from '../../web/src/shell/auth-texts.ts'
import { atEnd, startTestApp } from '../app.ts'
import { newDataDir, type Service, startService } from '../service.ts'
import { until } from '../until.ts'
import { startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { answersTo, apiOf, assertAccessible, openBrowser, visit, visitSignedIn } from './browser.ts'

const ACCOUNT = { email: 'ana@example.com', password: 'a long enough password' }
const ANSWER = 'Saturday from eight to noon.'
const SPARE_ANSWER = 'The spare model answers.'
const t = providersTexts.en
const f = providerFormTexts.en
const k = chainTexts.en
const b = incidentBannerTexts.en
const h = providerHealthTexts.en
const c = commonTexts.en

let service: Service
let browser: Browser
let llm: Awaited<ReturnType<typeof startLlm>>
let spare: Awaited<ReturnType<typeof startLlm>>

before(async () => {
  llm = await startLlm({ answer: () => ({ say: ANSWER }), models: ['small-one', 'large-one'] })
  atEnd(() => llm.stop())
  spare = await startLlm({ answer: () => ({ say: SPARE_ANSWER }) })
  atEnd(() => spare.stop())
  service = await startService(newDataDir(), { EMBEDDED_VOICE: 'small' })
  browser = await openBrowser()
})

const noOverflow = async (page: Page) =>
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 1)

const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

/** Drags a row of an ordered list by its handle. */
async function drag(page: Page, list: Locator, [from, to]: readonly [number, number]) {
  const row = (at: number) => list.locator(`[data-link="${at}"]`)
  const [handle, target] = [await row(from).locator('[aria-hidden]').first().boundingBox(), await row(to).boundingBox()]
  assert.ok(handle && target)
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
  await page.mouse.down()
  await page.mouse.move(target.x + 20, target.y + target.height / 2, { steps: 4 })
  await page.mouse.up()
}

async function ask(page: Page, words: string) {
  await page.getByText(talkTexts.en.inWriting, { exact: true }).click()
  const field = page.getByRole('textbox', { name: transcriptTexts.en.write })
  await field.fill(words)
  await field.press('Enter')
}

test('from the first start to an agent that answers with a model set on the page', async () => {
  const { page, troubles } = await visit(browser, service.url, { language: 'en' })
  const got = await answersTo(page)
  await page.goto('/')
  await page.getByRole('textbox', { name: authTexts.en.email }).fill(ACCOUNT.email)
  await page.getByLabel(authTexts.en.password, { exact: false }).first().fill(ACCOUNT.password)
  await page.getByLabel(authTexts.en.repeat).fill(ACCOUNT.password)
  await page.getByRole('button', { name: authTexts.en.begin }).click()
  await page.getByRole('link', { name: /agent/i }).first().waitFor()
  await page.goto('/agents/new')
  await page.getByLabel(agentsTexts.en.name).fill('Reception')
  await page.getByRole('button', { name: agentsTexts.en.create }).click()
  await page.waitForURL(/\/agents\/agt_/)
  const agent = new URL(page.url()).pathname

  await page.goto(`${agent}/talk`)
  await page.getByText('approximate', { exact: false }).first().waitFor()
  await page.getByRole('link', { name: 'Connect a model' }).click()
  await page.waitForURL(/\/providers\?agent=/)
  await page.getByRole('link', { name: t.toAgent }).waitFor()
  await page.getByText(t.none).waitFor()
  await assertAccessible(page, 'the providers page')

  await page.getByRole('button', { name: f.addOf.llm }).click()
  await assertAccessible(page, 'the choice of a vendor')
  await page.getByRole('button', { name: f.cards.llm['openai-compatible'] }).click()
  const dialog = page.getByRole('dialog', { name: f.newCompatible })
  await dialog.getByRole('button', { name: c.save }).click()
  await dialog.getByText(f.baseUrlMissing).waitFor()
  await dialog.getByRole('textbox', { name: f.baseUrl }).fill(`${llm.url}/v1`)
  await dialog.getByRole('textbox', { name: f.apiKey }).fill(KEY)
  await dialog.getByLabel(f.model, { exact: false }).click()
  await page.getByRole('option', { name: 'small-one' }).click()
  llm.fail('unauthorized', 1) // its response repeats the key
  await dialog.getByRole('button', { name: t.test }).click()
  await dialog.getByText(t.problems.key_refused).waitFor()
  await dialog.getByRole('button', { name: t.test }).click()
  await dialog.getByText(/first word after [\d.,]+ ms/).waitFor()
  await assertAccessible(page, 'the account dialog')
  await dialog.getByRole('button', { name: c.save }).click()
  const card = page.getByRole('listitem').filter({ hasText: 'small-one' })
  await card.getByText(t.isDefault, { exact: true }).waitFor()
  await card.getByText(t.key(`…${KEY.slice(-4)}`)).waitFor()
  assert.equal(await page.getByText(t.none).count(), 0)
  assert.ok(!(await got()).includes(KEY), 'the key came back to the page')

  await page.goto(`${agent}/talk`)
  await ask(page, 'When are you open?')
  await page.getByText(ANSWER).first().waitFor()
  assert.equal(await page.getByRole('link', { name: 'Connect a model' }).count(), 0)

  assert.deepEqual(troubles(), [])
  assert.ok(!service.output().includes(KEY))
})

test('a fallback is added, ordered by keyboard and answers when the first model fails; both are removed, without a restart', async () => {
  const { page, troubles } = await visit(browser, service.url, { language: 'en' })
  await page.request.post('/auth/login', { data: ACCOUNT })
  await page.goto('/providers')
  await page.getByRole('button', { name: f.add, exact: true }).click()
  await page.getByRole('button', { name: t.sections.llm.title }).click()
  await page.getByRole('button', { name: f.cards.llm['openai-compatible'] }).click()
  const dialog = page.getByRole('dialog', { name: f.newCompatible })
  await dialog.getByRole('textbox', { name: f.baseUrl }).fill(`${spare.url}/v1`)
  await dialog.getByRole('textbox', { name: f.apiKey }).fill(KEY)
  await dialog.getByLabel(f.model, { exact: false }).first().fill('gpt-small')
  await dialog.getByRole('textbox', { name: f.name }).fill('Spare')
  await dialog.getByLabel(f.priceLabel.inputPerMillionTokens).fill('0.25')
  await dialog.getByRole('switch', { name: f.isDefault }).click()
  await dialog.getByRole('button', { name: c.save }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(t.price.inputPerMillionTokens('$0.25')).first().waitFor()

  await page.goto('/agents')
  await page.getByRole('link', { name: 'Reception' }).first().click()
  await page.waitForURL(/\/agents\/agt_/)
  const agent = new URL(page.url()).pathname
  await page.goto(`${agent}?tab=providers`)
  await page.getByRole('button', { name: k.addOf.llm }).click()
  const list = page.getByRole('list', { name: k.kinds.llm.title })
  await page.getByRole('button', { name: k.up('Spare') }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .filter({ hasText: k.movedTo('Spare', 1, 2) })
    .waitFor()
  assert.match(await focusedName(page), new RegExp(k.down('Spare')), 'the focus stays with what was moved')
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .filter({ hasText: k.movedTo('Spare', 2, 2) })
    .waitFor()
  await drag(page, list, [1, 0])
  await page
    .getByRole('status')
    .filter({ hasText: k.movedTo('Spare', 1, 2) })
    .waitFor()
  await drag(page, list, [0, 1])
  await assertAccessible(page, 'the providers of an agent')
  await page.getByRole('button', { name: c.save, exact: true }).click()
  await page.getByText(c.saved, { exact: true }).waitFor()
  const saved = await (await page.request.get(`/api${agent}`)).json()
  assert.equal(saved.settings.llm.fallbacks.length, 1)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await list.waitFor()
  await noOverflow(page)

  const answered = async (words: string) => {
    await page.goto(`${agent}/talk`)
    await ask(page, 'When are you open?')
    await page.getByText(words).first().waitFor()
  }
  await answered(ANSWER)
  llm.fail('unauthorized', 1000)
  await answered(SPARE_ANSWER)

  await page.goto(agent)
  const banner = page.getByRole('status').filter({ hasText: b.title(f.compatible, h.kind.llm) })
  await banner.getByText(b.instead('Spare'), { exact: false }).waitFor()
  await banner.getByText(h.reason.key_refused, { exact: false }).waitFor()
  await page.goto('/')
  await banner.getByText(b.goesOn, { exact: false }).waitFor()
  await assertAccessible(page, 'the banner of an outage')
  await banner.getByRole('button', { name: b.dismiss }).click()
  await page.reload()
  await page.locator('main h1').waitFor()
  assert.equal(await banner.count(), 0, 'dismissed until the next outage')

  await page.goto('/providers')
  const card = page.getByRole('listitem').filter({ hasText: 'small-one' })
  await card.getByText(/Down since/).waitFor()
  await card.getByRole('button', { name: t.testOf(f.compatible) }).click()
  await card.getByText(t.problems.key_refused).waitFor()
  await assertAccessible(page, 'the providers page with one that is down')
  await page.setViewportSize({ width: 390, height: 844 })
  await noOverflow(page)
  for (const [name, names] of [
    [f.compatible, true],
    ['Spare', true],
  ] as const) {
    await page.getByRole('button', { name: t.moreOf(name) }).click()
    await page.getByRole('menuitem', { name: t.removeOf(name) }).click()
    const question = page.getByRole('dialog', { name: t.removeQuestion(name) })
    if (names) await question.getByText('Reception', { exact: false }).waitFor()
    await noOverflow(page)
    await question.getByRole('button', { name: c.remove, exact: true }).click()
    await question.waitFor({ state: 'detached' })
  }
  await page.getByText(t.none).waitFor()
  assert.deepEqual(troubles(), [])
  assert.ok(!service.output().includes(KEY))
})

test('a model server on this machine is offered on the first page, and one click adds and tests it', async () => {
  const local = await startLlm({ isOpen: true, answer: () => ({ say: 'Hello' }), models: ['tiny', 'text-embedding'] })
  atEnd(() => local.stop())
  const place = { url: local.url, vendor: 'openai-compatible' as const, name: 'LM Studio' }
  const { app, ana } = await startTestApp({ EMBEDDED_VOICE: 'off' }, { providers: { localPlaces: [place] } })
  const site = { url: await app.listen(), key: app.firstKey as string }
  for (const { kind, vendor, ...known } of await apiOf(site)('GET', '/api/providers/vendors')) {
    const { keysAt, ...shown } = vendorOf(kind, vendor)
    assert.deepEqual(shown, known, `${vendor} for ${kind} on the page`)
  }
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'en', screen: 'phone' })
  await page.goto('/')
  await page.getByText(t.found('LM Studio', 1)).waitFor()
  await noOverflow(page)
  await assertAccessible(page, 'a model server was found')
  await page.getByRole('button', { name: t.foundUse('LM Studio') }).click()
  await page.getByText(/LM Studio added: first word after [\d.,]+ ms/).waitFor()
  await page.getByText(t.found('LM Studio', 1)).waitFor({ state: 'detached' })
  await page.goto('/providers')
  await page.getByRole('listitem').filter({ hasText: 'tiny' }).getByText(t.isDefault, { exact: true }).waitFor()
  assert.deepEqual(troubles(), [])

  const member = await visitSignedIn(browser, { ...site, key: ana.key }, { language: 'en' })
  await member.page.goto('/')
  await member.page.locator('main h1').waitFor()
  await member.page.goto('/providers')
  await member.page.getByText(t.none).waitFor()
  assert.equal(await member.page.getByText('LM Studio').count(), 0)
  assert.deepEqual(member.troubles(), [])
})

test('settings are in tabs with their own addresses, and a search finds a group by its heading', async () => {
  const s = settingsTexts.en
  const { page, troubles } = await visit(browser, service.url, { language: 'en' })
  await page.request.post('/auth/login', { data: ACCOUNT })
  await page.goto('/settings')
  await page.getByRole('textbox', { name: s.search }).fill('network')
  await page.getByText('HOST', { exact: true }).first().waitFor()
  for (const tab of ['voice', 'telephony', 'security', 'about'] as const) {
    await page.getByRole('tab', { name: s.tabs[tab], exact: true }).click()
    await page.waitForURL(new RegExp(`tab=${tab}$`))
    await assertAccessible(page, `the tab ${tab}`)
  }
  await page.goto('/settings?tab=voice')
  await page.getByText(s.builtIn, { exact: true }).waitFor()
  assert.equal(await page.getByText(s.builtIn, { exact: true }).count(), 1)
  assert.deepEqual(troubles(), [])
})

test('a device of a local server shows what to set instead of a code, and the only agent is chosen', async () => {
  const [d, l] = [devicesTexts.en, linkDeviceTexts.en]
  const { page, troubles } = await visit(browser, service.url, { language: 'en' })
  await page.request.post('/auth/login', { data: ACCOUNT })
  await page.goto('/devices')
  // Shown before a device is created.
  await page.getByText(l.loopbackTitle).waitFor()
  await page.getByRole('button', { name: d.make }).first().click()
  const form = page.getByRole('dialog', { name: d.make })
  const agent = form.getByRole('combobox', { name: d.agent })
  await until('the only agent is chosen', async () => (await agent.inputValue()) === 'Reception', 15_000)
  await form.getByRole('textbox', { name: d.name }).fill('Mobile')
  await form.getByRole('button', { name: c.create }).click()
  const linking = page.getByRole('dialog', { name: l.title('Mobile') })
  await linking.getByText(l.loopbackTitle).waitFor()
  assert.equal(await linking.getByRole('img', { name: l.qr }).count(), 0)
  await linking.getByRole('button', { name: c.copy, exact: true }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'HOST=0.0.0.0\nSIP_HOST=0.0.0.0')
  assert.equal(await linking.getByText('127.0.0.1').count(), 0)
  await linking.getByText(l.other, { exact: true }).click()
  await linking.getByText(l.loopbackHere).waitFor()
  await linking.getByText(l.loopbackTitle).waitFor()
  await assertAccessible(page, 'the device of a local server')
  assert.deepEqual(troubles(), [])
})
