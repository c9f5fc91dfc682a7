// The API reference in a browser: requests with the visitor's key, errors, filter, deep links, phone width.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startTestApp } from '../app.ts'
import { apiOf, assertAccessible, openBrowser, type Site, visit } from './browser.ts'

let browser: Browser
let site: Site

before(async () => {
  const { app } = await startTestApp()
  site = { url: await app.listen(), key: app.firstKey as string }
  browser = await openBrowser()
})

/** `getByLabel` would compute the name of each of the page's hundred thousand nodes, which takes seconds. */
const fieldOf = (page: Page, id: string, label: string) =>
  page.locator(`label:has(> #${id})`).filter({ hasText: label }).locator('input')
const keyOf = (page: Page) => fieldOf(page, 'key', 'API key')

test('a GET and a POST are sent with the key, and their responses shown', async () => {
  const { page, troubles } = await visit(browser, site.url, { language: 'en' })
  await page.goto('/docs#postAgents')
  assert.match(await page.locator('.introduction pre').innerText(), new RegExp(`RAMAL_URL=${site.url} `))
  await keyOf(page).fill(site.key)
  const create = page.locator('#postAgents')
  await create.getByLabel('Body').fill(JSON.stringify({ name: 'Bia', systemPrompt: 'Responda em uma frase.' }))
  assert.match(await create.locator('pre.curl').innerText(), /-X POST[\s\S]*"name":"Bia"/)
  await create.getByRole('button', { name: 'Send' }).click()
  await create.getByText('201 Created').waitFor()
  const { id } = JSON.parse(await create.locator('.answer pre.body').innerText())
  assert.equal((await apiOf(site)('GET', `/api/agents/${id}`)).name, 'Bia')

  await page.goto('/docs#getAgentsById')
  const get = page.locator('#getAgentsById')
  await get.getByLabel('id', { exact: true }).fill(id)
  await get.getByRole('button', { name: 'Send' }).click()
  await get.getByText('200 OK').waitFor()
  assert.match(await get.locator('.answer pre.body').innerText(), /"name": "Bia"/)
  await get.getByText('Headers').click()
  assert.match(await get.locator('.answer details pre').innerText(), /x-request-id: /)
  assert.deepEqual(troubles(), [])
})

test('a wrong key is answered with 401, and without a key nothing is sent', async () => {
  const { page, troubles } = await visit(browser, site.url, { language: 'en' })
  await page.goto('/docs#getAgents')
  const list = page.locator('#getAgents')
  await list.getByRole('button', { name: 'Send' }).click()
  await list.getByText('Enter your API key above first.').waitFor()
  assert.deepEqual(troubles(), [])
  await keyOf(page).fill('rml_wrong')
  await list.getByRole('button', { name: 'Send' }).click()
  await list.getByText('401 Unauthorized').waitFor()
  assert.match(await list.locator('.answer pre.body').innerText(), /"statusCode": 401/)
  assert.deepEqual(troubles(['401 GET']), [])
})

test('an operation is rendered when it is opened, by a click or by the address', async () => {
  const { page, troubles } = await visit(browser, site.url, { language: 'en' })
  await page.goto('/docs#patchAgentsById')
  assert.ok(await page.locator('#patchAgentsById').getByText('Link to this operation').isVisible())
  const count = await page.evaluate(() => document.querySelectorAll('*').length)
  assert.ok(count < 8000, `${count} elements`)
  await page.locator('#getAgents > summary').click()
  await page.locator('#getAgents').getByRole('button', { name: 'Send' }).waitFor()
  const shot = process.env.REFERENCE_PICTURES
  if (shot) await page.screenshot({ path: `${shot}/desktop.png` })
  if (shot) await page.setViewportSize({ width: 390, height: 844 })
  if (shot) await page.screenshot({ path: `${shot}/phone.png` })
  assert.deepEqual(troubles(), [])
})

test('the key stays in the tab: kept on reload, unknown to another tab, in no cookie', async () => {
  const { page, context } = await visit(browser, site.url, { language: 'en' })
  await page.goto('/docs')
  await keyOf(page).fill(site.key)
  await page.reload()
  assert.equal(await keyOf(page).inputValue(), site.key)
  assert.deepEqual(await context.cookies(), [])
  assert.equal(await page.evaluate(() => localStorage.length), 0)
  const other = await context.newPage()
  await other.goto('/docs')
  assert.equal(await keyOf(other).inputValue(), '')
})

test('the filter, nested fields and a tool example work at phone width, in the dark', async () => {
  const { page, troubles } = await visit(browser, site.url, { language: 'en', screen: 'phone', theme: 'dark' })
  await page.goto('/docs')
  await fieldOf(page, 'filter', 'Filter').fill('post /api/tools')
  await page.locator('#postTools > summary').click()
  assert.equal(await page.locator('#getAgents').isVisible(), false)
  await page.locator('#postTools [data-variant=calendar] > summary').click()
  await page.locator('#postTools [data-field="config(calendar).workingHours"] > details > summary').click()
  assert.ok(await page.locator('#postTools [data-field="config(calendar).workingHours.days"]').isVisible())
  await page.locator('#postTools').locator('select.example').selectOption('calendar')
  assert.match(await page.locator('#postTools').getByLabel('Body').inputValue(), /"create_event"/)
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'no sideways scroll')
  await assertAccessible(page, 'the reference at phone width')
  assert.deepEqual(troubles(), [])
})
