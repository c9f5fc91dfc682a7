// The home page, the command palette and the server-rendered pages in normal use.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Overview } from '../../client/paths.ts'
import { nodeRows } from '../../src/db/nodes.ts'
import { dbTime } from '../../src/db/time.ts'
import { callsTexts } from '../../web/src/pages/calls/calls-texts.ts'
import { figuresOf } from '../../web/src/pages/home/figures.ts'
import { figuresTexts } from '../../web/src/pages/home/figures-texts.ts'
import { homeTexts } from '../../web/src/pages/home/home-texts.ts'
import { serviceNodesTexts } from '../../web/src/pages/home/service-nodes-texts.ts'
import { settingsTexts } from '../../web/src/pages/settings/settings-texts.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { paletteTexts } from '../../web/src/shell/palette/palette-texts.ts'
import { until } from '../until.ts'
import { assertAccessible, openBrowser, visit, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const t = figuresTexts.en
let demo: Demo
let browser: Browser

before(async () => {
  demo = await startDemo()
  browser = await openBrowser()
})

/** Shortly after midnight there may be no call to compare with, or as many as yesterday. */
function comparisonWith(overview: Overview): string {
  const change = figuresOf(overview)[0]?.change
  if (!change) return t.noComparison
  return change.by === 0 ? t.same : t.versus
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

test('figures and chart tell what the API counts; a bar leads to the calls of its day, by mouse and keyboard', async () => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en', theme: 'dark' })
  // Uses the response that the page itself got: a moment later the day may have changed, or another of yesterday's
  // calls may count.
  const answering = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/overview')
  await page.goto('/')
  const answer = await answering
  assert.equal(new URL(answer.url()).searchParams.get('timeZone'), 'America/Sao_Paulo')
  const overview = await answer.json()
  const { today, days } = overview
  const tile = page.locator('[data-figure=calls]')
  await tile.getByText(String(today.calls), { exact: true }).waitFor()
  await tile.getByText(comparisonWith(overview)).waitFor()

  const chart = page.getByRole('list', { name: new RegExp(t.days) })
  const bars = chart.getByRole('link')
  assert.equal(await bars.count(), 7)
  const { date, calls, answered } = days[12]
  const bar = bars.nth(5)
  const named = new RegExp(`${calls} calls, Answered: ${answered}.*, ${t.weekBefore}: ${days[5].calls}$`)
  assert.match((await bar.getAttribute('aria-label')) ?? '', named)
  await bar.hover()
  await page
    .getByRole('tooltip')
    .getByText(t.dayCalls(String(calls), false))
    .waitFor()
  await assertAccessible(page, 'home in the dark')

  // From the last bar, which Tab reaches, to the one before it.
  await bars.nth(6).focus()
  await page.keyboard.press('ArrowLeft')
  assert.equal(await bar.evaluate((link) => link === document.activeElement), true)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/calls' && url.searchParams.get('from') === date)
  assert.equal(new URL(page.url()).searchParams.get('to'), date)
  await page.getByRole('heading', { name: callsTexts.en.title, level: 1 }).waitFor()
  assert.deepEqual(troubles(), [])
})

test('the steps can be put away for good and brought back; nothing overflows on a phone', async () => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en', screen: 'phone' })
  await page.goto('/')
  const words = homeTexts.en
  const steps = page.getByRole('region', { name: words.setup })
  await steps.waitFor()
  assert.ok((await overflow(page)) <= 0, 'no sideways scroll')
  await assertAccessible(page, 'home on a phone')
  const numbers = page.getByRole('list', { name: words.recent }).getByText(/^\+55 11 \d{5}-\d{4}$/)
  await numbers.first().waitFor()
  const cut = await numbers.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  assert.equal(cut, 0, 'no number is cut')
  await steps.getByRole('button', { name: words.dismiss }).click()
  await page.reload()
  await page.getByRole('button', { name: words.showSetup }).waitFor()
  assert.equal(await steps.count(), 0)
  await page.getByRole('button', { name: words.showSetup }).click()
  await steps.waitFor()
  assert.deepEqual(troubles(), [])
})

test('administrators see the nodes of a service of several, at desktop and phone width', async (t) => {
  const { db } = demo.database
  const other = nodeRows(db, { name: 'ramal-2', release: '1.0.0' })
  await other.enter({ calls: 12, maxCalls: 120, busy: 0.35, address: null, isDraining: true })
  await db
    .updateTable('nodes')
    .set({ leaseUntil: dbTime(db, 3_600_000) })
    .where('name', '=', 'ramal-2')
    .execute()
  t.after(other.leave)
  const words = serviceNodesTexts.en
  for (const screen of ['desk', 'phone'] as const) {
    const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en', screen })
    await page.goto('/')
    const nodes = page.getByRole('region', { name: words.title })
    await nodes.getByText('ramal-2').waitFor()
    await nodes.getByText(words.states.draining).waitFor()
    await nodes.getByText(words.callsOf('12', '120')).waitFor()
    assert.ok((await overflow(page)) <= 0, 'no sideways scroll')
    await assertAccessible(page, `nodes, ${screen}`)
    assert.deepEqual(troubles(), [])
  }
})

test('the menu fits on a screen of 900 pixels, follows the page on a lower one, and has icons alone on a tablet', async () => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  const menu = page.getByRole('navigation')
  const isSeen = async (name: string) => {
    const [box, screen] = [await menu.getByRole('link', { name, exact: true }).boundingBox(), page.viewportSize()]
    return box !== null && box.y >= 56 && box.y + box.height <= (screen?.height ?? 0)
  }
  await page.goto('/settings')
  await menu.getByRole('link', { name: navigationTexts.en.settings }).waitFor()
  assert.ok((await isSeen(navigationTexts.en.home)) && (await isSeen(navigationTexts.en.settings)))
  await page.setViewportSize({ width: 1440, height: 500 })
  assert.ok(!(await isSeen(navigationTexts.en.settings)))
  await page.goto('/providers')
  await until('the entry of the page is in view', () => isSeen(navigationTexts.en.providers))
  await page.setViewportSize({ width: 768, height: 900 })
  await until('the menu is narrow', async () => ((await menu.boundingBox())?.width ?? 0) < 80)
  await menu.getByRole('link', { name: navigationTexts.en.providers, exact: true }).waitFor()
  await assertAccessible(page, 'the menu of icons')
  assert.deepEqual(troubles(), [])
})

test('the palette by keyboard alone: a page, an agent, a number, an action, and the list of shortcuts', async () => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  const words = paletteTexts.en
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const field = page.getByRole('combobox', { name: words.title })
  /**
   * Waits until the previous palette has closed: otherwise the key would close it again, or the text would go to the
   * page.
   */
  const type = async (text: string) => {
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await until('the field has the focus', () => field.evaluate((input) => input === document.activeElement))
    await page.keyboard.type(text)
  }
  const find = async (text: string, first: string | RegExp) => {
    await type(text)
    await until('it is the first', async () => {
      const active = await field.getAttribute('aria-activedescendant')
      const option = page.locator(`[id="${active}"]`)
      if ((await option.count()) !== 1) return false
      const name = await option.innerText()
      return typeof first === 'string' ? name.includes(first) : first.test(name)
    })
  }
  await find('trunks', 'SIP trunks')
  await assertAccessible(page, 'the palette')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/trunks$/)
  await find('recepcao', 'Recepção da Clínica Vida')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/agents/${demo.ids.agent}$`))
  await find('3000-0002', /\+55 11 3000-?0002/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/numbers\?q=/)
  await find('telephony', `${navigationTexts.en.settings}: ${settingsTexts.en.tabs.telephony}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/settings\?tab=telephony$/)
  await find('98765-0022', '+55 11 98765-0022')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/suppressions\?q=%2B5511987650022$/)
  await find('dark theme', /dark/i)
  await page.keyboard.press('Enter')
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await type('no such thing')
  await page.getByRole('dialog').getByText(words.none).waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: words.shortcuts }).getByText(words.keys.palette).waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(troubles(), [])
})

test('guides are read without signing in, in the language of the browser: searched, followed from one to the other, on a phone and in the dark', async () => {
  const { page, troubles } = await visit(browser, demo.url, { screen: 'phone', theme: 'dark', language: 'pt' })
  const policy = (await page.goto('/guides/first-call'))?.headers()['content-security-policy']
  assert.match(policy ?? '', /default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.ok((await overflow(page)) <= 0, 'no sideways scroll')
  await assertAccessible(page, 'a guide on a phone')
  await page.getByRole('link', { name: 'Como entrar' }).first().click()
  await page.waitForURL(/\/guides\/pt\/dashboard#como-entrar$/)
  await page.getByRole('searchbox', { name: 'Buscar um guia' }).fill('outage')
  await page.getByRole('navigation', { name: 'Guias' }).getByRole('link', { name: 'Nodes and outages' }).click()
  await page.getByRole('heading', { name: 'Nodes and outages', level: 1 }).waitFor()
  await page.getByText('Este guia existe só em inglês.').waitFor()
  assert.ok((await overflow(page)) <= 0, 'no sideways scroll in a guide of another language')
  await page.goto('/guides/pt/dashboard')
  await page.getByRole('link', { name: 'English', exact: true }).click()
  await page.getByRole('heading', { name: 'The dashboard', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Português', exact: true }).click()
  await page.getByRole('heading', { name: 'O painel', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Usar tema claro' }).click()
  await page.goto('/guides')
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'light', 'the choice is kept')
  await assertAccessible(page, 'the list of guides')
  assert.deepEqual(troubles(), [])
})

test('a page leads to its guide in the language of the page, and says where there is only an English one', async () => {
  for (const [language, path, name, href] of [
    ['pt', '/campaigns', 'Guia', '/guides/pt/campaigns'],
    ['pt', '/tools', 'Guia (em inglês)', '/guides/pt/tools'],
    ['en', '/campaigns', 'Guide', '/guides/en/campaigns'],
    ['es', '/campaigns', 'Guía (en inglés)', '/guides/en/campaigns'],
  ] as const) {
    const { page, troubles } = await visitSignedIn(browser, demo, { language })
    await page.goto(path)
    const link = page.getByRole('main').getByRole('link', { name, exact: true })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), href)
    assert.deepEqual(troubles(), [])
    await page.context().close()
  }
})
