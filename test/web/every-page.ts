// Checks every page in one look: expected content, no errors, no requests to other hosts, and accessibility if axe is
// requested, which takes as long as all the rest.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, type Language, type Look, visitSignedIn } from './browser.ts'
import type { Demo } from './demo.ts'
import { demoPages } from './demo-pages.ts'

export type FullLook = Required<Look> & { language: Language }

type Looking = { browser: Browser; demo: Demo; usesAxe: boolean }

export async function lookAtEveryPage(t: TestContext, look: FullLook, parts: Looking): Promise<void> {
  const { browser, demo, usesAxe } = parts
  const { page, context, troubles } = await visitSignedIn(browser, demo, look)
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
      if (usesAxe) await assertAccessible(page, path)
      assert.deepEqual(troubles().slice(before), [])
    })
  await context.close()
}
