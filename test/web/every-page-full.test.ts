// Every page in the two looks that every-page.test.ts skips, so that each language, theme and screen size is covered.
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'
import { type FullLook, lookAtEveryPage } from './every-page.ts'

let demo: Demo
let browser: Browser

before(async () => {
  demo = await startDemo()
  browser = await openBrowser()
})

const looks: FullLook[] = [
  { language: 'en', theme: 'dark', screen: 'desk' },
  { language: 'es', theme: 'light', screen: 'phone' },
]
for (const look of looks)
  test(`every page in ${look.language}, ${look.theme}, on a ${look.screen}`, (t) =>
    lookAtEveryPage(t, look, { browser, demo, usesAxe: true }))
