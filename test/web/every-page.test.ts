// Every page in three languages, light and dark, on desktop and phone: expected content, no errors, no requests to other hosts,
// accessible.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { assertAccessible, type Look, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'
import { demoPages } from './demo-pages.ts'

let demo: Demo
let browser: Browser

before(async () => {
  demo = await startDemo()
  browser = await openBrowser()
})

const looks: (Look & { language: 'pt' | 'en' | 'es' })[] = [
  { language: 'pt', theme: 'light', screen: 'desk' },
  { language: 'en', theme: 'dark', screen: 'desk' },
  { language: 'es', theme: 'light', screen: 'phone' },
]

const signedIn = (look: Look) => visitSignedIn(browser, demo, look)

for (const look of looks)
  test(`every page in ${look.language}, ${look.theme}, on a ${look.screen}`, async (t) => {
    const { page, troubles } = await signedIn(look)
    for (const [path, shows] of demoPages(demo))
      await t.test(path, async () => {
        const before = troubles().length
        await page.goto(path)
        await page.locator('main h1').waitFor()
        if (shows)
          await page
            .locator('main')
            .getByText(shows)
            .or(page.locator(`main input[value="${shows}"]`))
            .first()
            .waitFor()
        await page.waitForFunction(() => !document.querySelector('main .mantine-Loader-root'))
        assert.equal(await page.evaluate(() => document.documentElement.lang.slice(0, 2)), look.language)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        assert.ok(overflow <= 1, `${overflow} pixels wider than the screen`)
        await assertAccessible(page, path)
        assert.deepEqual(troubles().slice(before), [])
      })
  })

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
