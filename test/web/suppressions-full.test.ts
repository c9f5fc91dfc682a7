// The do-not-call page in the two looks that suppressions.test.ts skips.
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Language, type Look, openBrowser } from './browser.ts'
import { numberAndList } from './do-not-call.ts'

let browser: Browser
before(async () => {
  browser = await openBrowser()
})

const looks: (Look & { language: Language })[] = [
  { language: 'pt', screen: 'desk', theme: 'light' },
  { language: 'es', screen: 'phone', theme: 'light' },
]
for (const look of looks)
  test(`a number is added, found, checked and allowed again; a list is imported (${look.language})`, () =>
    numberAndList(browser, look))
