// The do-not-call page in one look; suppressions-full.test.ts has the others.
// @run rest
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { interruptedUpload, numberAndList } from './do-not-call.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})

test('a number is added, found, checked and allowed again; a list is imported (en)', () =>
  numberAndList(browser, { language: 'en', screen: 'desk', theme: 'dark' }))

test('an upload that is cut off leaves an incomplete list, not none', () =>
  interruptedUpload(browser, { language: 'pt', screen: 'desk' }))
