// What happens to an open page: the server stops, restarts and is upgraded, the session ends, another editor saves
// first.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { conflictTexts } from '../../web/src/components/conflict-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { liveTexts } from '../../web/src/pages/live/live-texts.ts'
import { toolFormTexts } from '../../web/src/pages/tools/tool-form-texts.ts'
import { authTexts } from '../../web/src/shell/auth-texts.ts'
import { crashTexts } from '../../web/src/shell/crash-texts.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { breakableServer } from './breakable-server.ts'
import { apiOf, assertAccessible, openBrowser, type Site, visitSignedIn } from './browser.ts'

const n = navigationTexts.en
const t = crashTexts.en
const f = toolFormTexts.en
const c = commonTexts.en

let browser: Browser
let base: TestApp
let site: Site

before(async () => {
  base = await startTestApp()
  site = { url: await base.app.listen(), key: base.app.firstKey as string }
  browser = await openBrowser()
})

const menuLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })

async function aTool(name = 'Orders'): Promise<{ id: string }> {
  return apiOf(site)('POST', '/api/tools', { name, type: 'end_call', description: 'Ends it.' })
}

test('a server that stops and starts again: a strip, no claims, no white page, and everything comes back', async () => {
  const proxy = await breakableServer(site.url)
  const { page } = await visitSignedIn(browser, { url: proxy.url, key: site.key }, { language: 'en' })
  await page.goto('/live')
  await page.getByText(liveTexts.en.none).waitFor()
  await proxy.stop()
  await page.getByText(t.lost).waitFor()
  await page.getByText(liveTexts.en.unknownText).waitFor()
  assert.equal(await page.getByText(liveTexts.en.none, { exact: true }).count(), 0)
  await assertAccessible(page, 'a lost connection')
  // A page that was not loaded before.
  await menuLink(page, n.keys).click()
  await page.getByRole('heading', { name: t.loadTitle }).waitFor()
  await assertAccessible(page, 'a page that could not be loaded')
  await proxy.start()
  await page.getByRole('heading', { name: n.keys, level: 1 }).waitFor()
  await page.getByText(t.lost).waitFor({ state: 'detached' })
  await menuLink(page, n.live).click()
  await page.getByText(liveTexts.en.none).waitFor()
})

test('an upgraded server: a notice, a reload that asks while something is unsaved, and no white page', async () => {
  const { id } = await aTool()
  const proxy = await breakableServer(site.url)
  const { page } = await visitSignedIn(browser, { url: proxy.url, key: site.key }, { language: 'en' })
  await page.goto(`/tools/${id}`)
  const description = page.getByRole('textbox', { name: f.description })
  await description.fill('Not saved yet.')
  proxy.upgrade(true)
  proxy.drop()
  await page.getByText(t.updatedText).waitFor()
  await page.getByRole('button', { name: t.reload }).click()
  const asked = page.getByRole('dialog', { name: t.unsavedTitle })
  await asked.getByRole('button', { name: t.keepEditing }).click()
  assert.equal(await description.inputValue(), 'Not saved yet.')
  await page.getByRole('button', { name: c.save, exact: true }).click()
  await page.getByText(c.saved, { exact: true }).waitFor()
  // The next page's file no longer exists.
  await menuLink(page, n.webhooks).click()
  const instead = page.getByRole('main').getByRole('alert')
  await instead.getByRole('heading', { name: t.updatedTitle }).waitFor()
  proxy.upgrade(false)
  await instead.getByRole('button', { name: t.reload }).click()
  await page.getByRole('heading', { name: n.webhooks, level: 1 }).waitFor()
})

test('a session that ends while editing: sign in over the page, and the save goes on', async () => {
  const { id } = await aTool()
  const { page } = await visitSignedIn(browser, site, { language: 'en' })
  await page.goto(`/tools/${id}`)
  const description = page.getByRole('textbox', { name: f.description })
  const dialog = page.getByRole('dialog', { name: t.sessionTitle })
  await description.fill('Typed before the session ended.')
  await base.database.db.deleteFrom('sessions').execute()
  await page.getByRole('button', { name: c.save, exact: true }).click()
  await dialog.waitFor()
  await assertAccessible(page, 'sign-in over the page')
  await dialog.getByRole('button', { name: authTexts.en.signIn }).click()
  await dialog.getByText(authTexts.en.problems.missing).waitFor()
  await dialog.getByRole('textbox', { name: authTexts.en.apiKey }).fill(site.key)
  await dialog.getByRole('button', { name: authTexts.en.signIn }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(c.saved, { exact: true }).waitFor()
  const saved = await apiOf(site)('GET', `/api/tools/${id}`)
  assert.equal(saved.description, 'Typed before the session ended.')

  // Another user gets none of the typed text.
  await description.fill('Not for others.')
  await base.database.db.deleteFrom('sessions').execute()
  await dialog.waitFor()
  await dialog.getByRole('textbox', { name: authTexts.en.apiKey }).fill(base.bia.key)
  await dialog.getByRole('button', { name: authTexts.en.signIn }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('main').getByRole('alert').waitFor()
  assert.equal(await description.count(), 0)
  assert.equal((await apiOf(site)('GET', `/api/tools/${id}`)).description, 'Typed before the session ended.')
})

test('two editors of one record: the second sees the difference and chooses, field by field', async () => {
  const { id } = await aTool('Orders')
  const w = conflictTexts.en
  const open = async () => {
    const { page, troubles } = await visitSignedIn(browser, site, { language: 'en' })
    await page.goto(`/tools/${id}`)
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    const save = () => page.getByRole('button', { name: c.save, exact: true }).click()
    await field(f.name).waitFor()
    return { page, field, save, troubles }
  }
  const [ana, bia] = [await open(), await open()]
  await ana.field(f.name).fill('Orders of Ana')
  await ana.field(f.description).fill('From Ana.')
  await bia.field(f.name).fill('Orders of Bia')
  await bia.field(f.description).fill('From Bia.')
  await ana.save()
  await ana.page.getByText(c.saved, { exact: true }).waitFor()
  await bia.save()
  const dialog = bia.page.getByRole('dialog', { name: w.title })
  await dialog.getByText('Orders of Ana').waitFor()
  await assertAccessible(bia.page, 'two versions')
  // Continuing to edit loses nothing.
  await dialog.getByRole('button', { name: w.goOn }).click()
  assert.equal(await bia.field(f.name).inputValue(), 'Orders of Bia')
  await bia.save()
  await dialog.getByRole('radiogroup', { name: f.name }).getByRole('radio', { name: w.theirs }).click()
  await dialog.getByRole('button', { name: w.save }).click()
  await bia.page.getByText(c.saved, { exact: true }).waitFor()
  const { name, description } = await apiOf(site)('GET', `/api/tools/${id}`)
  assert.deepEqual([name, description], ['Orders of Ana', 'From Bia.'])
  assert.equal(await bia.field(f.name).inputValue(), 'Orders of Ana')
  assert.deepEqual(bia.troubles(['412']), [])
})

test('by keyboard alone: the menu, the title of each page, a form, and the skip link', async () => {
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'en' })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip-link')
  const focusOn = (name: string) => menuLink(page, name).focus()
  await focusOn(n.tools)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: n.tools, level: 1 }).waitFor()
  const isTitleFocused = () => page.evaluate(() => document.activeElement?.tagName === 'H1')
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  // The next tab stop is in the page, not in the menu.
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.closest('main') !== null), true)
  await focusOn(n.agents)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: n.agents, level: 1 }).waitFor()
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  assert.ok(await isTitleFocused())
  await page.goto('/agents/new')
  const radios = page.getByRole('radiogroup').first().getByRole('radio')
  await radios.first().focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await radios.nth(1).getAttribute('aria-checked'), 'true')
  assert.deepEqual(troubles(['/api/tts']), [])
})
