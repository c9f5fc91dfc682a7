// Every page in one look (every-page-full.test.ts has the others, with axe), the choice of language and theme, and the
// menu by keyboard.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { type Look, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'
import { lookAtEveryPage } from './every-page.ts'

let demo: Demo
let browser: Browser

before(async () => {
  demo = await startDemo()
  browser = await openBrowser()
})

test('every page in pt, light, on a desk', (t) =>
  lookAtEveryPage(t, { language: 'pt', theme: 'light', screen: 'desk' }, { browser, demo, usesAxe: false }))

const signedIn = (look: Look) => visitSignedIn(browser, demo, look)

test('language and theme choices persist', async () => {
  const { page, troubles } = await signedIn({ language: 'pt' })
  await page.goto('/agents')
  await page.getByRole('button', { name: `${navigationTexts.pt.language}: Português` }).click()
  await page.getByRole('menuitem', { name: 'Español' }).click()
  await page.getByRole('link', { name: navigationTexts.es.voices, exact: true }).waitFor()
  await page.getByRole('button', { name: navigationTexts.es.dark }).click()
  await page.reload()
  await page.getByRole('button', { name: navigationTexts.es.light }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'es-ES')
  assert.deepEqual(troubles(), [])
})

test('every navigation link is reachable by keyboard', async () => {
  const { page } = await signedIn({ language: 'en' })
  await page.goto('/')
  await page.locator('main h1').waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), navigationTexts.en.skip)
  const reached = new Set<string>()
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab')
    reached.add((await page.evaluate(() => document.activeElement?.getAttribute('href'))) ?? '')
  }
  for (const place of ['/agents', '/calls', '/keys', '/settings']) assert.ok(reached.has(place), place)
})
