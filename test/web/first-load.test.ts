// First-load budget: code that only some pages need must not be in it.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, visit, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'
import { firstLoad } from './first-load.ts'

let demo: Demo
let browser: Browser

before(async () => {
  demo = await startDemo({ EMBEDDED_VOICE: 'off' })
  browser = await openBrowser()
})

test('the sign-in page loads less than 195 kB', async () => {
  const { page } = await visit(browser, demo.url)
  const { bytes, requests } = await firstLoad(page, '/')
  assert.ok(bytes > 50_000 && bytes < 195_000, `${bytes} bytes`)
  assert.ok(requests <= 12, `${requests} requests`)
})

test('the home page with data loads less than 252 kB, and fetches the session once', async () => {
  const { page } = await visitSignedIn(browser, demo)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const { bytes, requests } = await firstLoad(page, '/')
  assert.ok(bytes > 50_000 && bytes < 252_000, `${bytes} bytes`)
  assert.ok(requests <= 22, `${requests} requests`)
  assert.deepEqual(
    asked.filter((path) => path === '/auth/session'),
    ['/auth/session'],
  )
})

test("the agent's page with its editor and test panel loads less than 357 kB", async () => {
  const { page } = await visitSignedIn(browser, demo)
  const { bytes, requests } = await firstLoad(page, `/agents/${demo.ids.agent}`, '.cm-content')
  assert.ok(bytes > 150_000 && bytes < 357_000, `${bytes} bytes`)
  assert.ok(requests <= 40, `${requests} requests`)
})
