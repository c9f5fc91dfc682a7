// Lists: search, order and filters in the URL, columns, selection, export, undo and copies; few requests, and a layout
// that fits on a phone.
// @run rest
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { listTexts } from '../../web/src/components/list/list-texts.ts'
import { phoneTexts } from '../../web/src/components/phone-texts.ts'
import { removalTexts } from '../../web/src/components/removal-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { agentsTexts } from '../../web/src/pages/agents/agents-texts.ts'
import { callsTexts } from '../../web/src/pages/calls/calls-texts.ts'
import { conversationTexts } from '../../web/src/pages/conversations/conversation-texts.ts'
import { liveTexts } from '../../web/src/pages/live/live-texts.ts'
import { numbersTexts } from '../../web/src/pages/numbers/numbers-texts.ts'
import { toolsTexts } from '../../web/src/pages/tools/tools-texts.ts'
import { anAgent } from '../app.ts'
import { until } from '../until.ts'
import { apiOf, assertAccessible, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const [l, r, c] = [listTexts.en, removalTexts.en, commonTexts.en]
let demo: Demo
let browser: Browser
let ask: ReturnType<typeof apiOf>

before(async () => {
  demo = await startDemo({ EMBEDDED_VOICE: 'off' })
  ask = apiOf(demo)
  browser = await openBrowser()
  for (let i = 0; i < 12; i++)
    await ask('POST', '/api/agents', {
      ...anAgent,
      name: `Filial ${String.fromCharCode(76 - i)}`,
      direction: 'inbound',
    })
  for (let i = 0; i < 8; i++)
    await ask('POST', '/api/did', { phoneNumber: `+55213000100${i}`, countryCode: '55', provider: 'Rio' })
})

const open = (screen: 'desk' | 'phone' = 'desk') => visitSignedIn(browser, demo, { language: 'en', screen })
const grid = (page: Page, name: string) => page.getByRole('grid', { name })
const rows = (page: Page, name: string) => grid(page, name).locator('[role=row][aria-selected]')
const menu = async (page: Page, of: string, entry: string) => {
  await page.getByRole('button', { name: r.moreOf(of) }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('search, sort and filter agents; the address has it all and the back button undoes it', async () => {
  const t = agentsTexts.en
  const { page, troubles } = await open()
  await page.goto('/agents')
  await rows(page, t.title).first().waitFor()
  const first = async () => (await rows(page, t.title).first().getByRole('link').innerText()).trim()
  const firstIs = (name: string) => until(`${name} is first`, async () => (await first()) === name)
  await page.getByRole('searchbox', { name: t.search }).fill('FILIAL')
  await page.getByText(t.count('12', false), { exact: true }).waitFor()
  const head = page.getByRole('columnheader', { name: c.name, exact: true }).getByRole('button')
  await head.click()
  await firstIs('Filial A')
  await page.waitForURL(/\?q=FILIAL&sort=name$/)
  await head.click()
  await firstIs('Filial L')
  await page.goBack()
  await firstIs('Filial A')
  await page.goBack()
  await page.waitForURL(/\?q=FILIAL$/)
  await page.goBack()
  await page.waitForURL(/\/agents$/)
  const search = page.getByRole('searchbox', { name: t.search })
  await until('the search is empty', async () => (await search.inputValue()) === '')

  // A shared link shows the same.
  await page.goto('/agents?q=filial&sort=name&direction=inbound')
  await firstIs('Filial A')
  await page.getByRole('searchbox', { name: t.search }).fill('nobody at all')
  await page.getByText(l.notFound).waitFor()
  await page.getByRole('button', { name: l.clear }).last().click()
  await rows(page, t.title).first().waitFor()

  const row = rows(page, t.title).filter({ hasText: 'Recepção da Clínica Vida' })
  await row.getByText('+55 11 3000-0001').waitFor()
  assert.ok(Number((await row.innerText()).match(/\n(\d+)\n/)?.[1]) > 0, 'its calls of the week')
  const box = await rows(page, t.title).first().boundingBox()
  assert.equal(box?.height, 44)
  await assertAccessible(page, 'the list of agents')
  assert.deepEqual(troubles(), [])
})

test('columns are chosen and stay chosen', async () => {
  const t = callsTexts.en
  const { page, troubles } = await open()
  await page.goto('/calls')
  await rows(page, t.title).first().waitFor()
  const head = page.getByRole('columnheader', { name: t.end, exact: true })
  await head.waitFor()
  await page.getByRole('button', { name: l.columns }).click()
  await page.getByRole('checkbox', { name: t.end, exact: true }).uncheck()
  await head.waitFor({ state: 'detached' })
  await page.reload()
  await rows(page, t.title).first().waitFor()
  assert.equal(await head.count(), 0)
  await page.getByRole('button', { name: l.columns }).click()
  await page.getByRole('button', { name: l.reset }).click()
  await head.waitFor()
  // The filter bar does not move the table.
  const top = async () => (await grid(page, t.title).boundingBox())?.y
  await page.keyboard.press('Escape')
  const before = await top()
  await page.getByRole('searchbox').fill('5511')
  await page.waitForURL(/q=5511/)
  await rows(page, t.title).first().waitFor()
  assert.equal(await top(), before)
  assert.deepEqual(troubles(), [])
})

test('numbers: a few requests, several switched off at once, exported, removed, brought back; leaving sends it', async () => {
  const t = numbersTexts.en
  const { page, troubles } = await open()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/') && !request.url().includes('/api/events')) asked.push(request.url())
  })
  await page.goto('/numbers?q=rio')
  await page.getByText(t.count('8', false), { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.ok(asked.length <= 6, `one request per list, not per row: ${asked.join('\n')}`)

  await page.getByRole('checkbox', { name: l.selectAll }).check()
  await page.getByText(l.selected(8)).waitFor()
  await page.getByRole('button', { name: l.deactivate }).click()
  await page.getByText(l.done(8)).waitFor()
  await until('all are off', async () => (await ask('GET', '/api/did?status=inactive')).length === 8)
  await page.getByRole('button', { name: l.unselect }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: l.export }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  assert.ok(file.startsWith(`\uFEFF${t.number},`), file.slice(0, 80))
  assert.equal(file.trim().split('\r\n').length, 9)
  assert.match(file, /\r\n'\+552130001000,/)

  await rows(page, t.title).nth(0).getByRole('checkbox').check()
  await rows(page, t.title).nth(1).getByRole('checkbox').check()
  await page.getByRole('group').getByRole('button', { name: c.remove }).click()
  await page.getByText(t.count('6', false), { exact: true }).waitFor()
  await page.getByRole('button', { name: r.undo }).click()
  await page.getByText(t.count('8', false), { exact: true }).waitFor()
  assert.equal((await ask('GET', '/api/did?q=rio')).length, 8)

  // More requests than a browser sends at once: all are on their way before the page is gone.
  await page.getByRole('checkbox', { name: l.selectAll }).check()
  await page.getByRole('group').getByRole('button', { name: c.remove }).click()
  await page.getByText(l.notFound).waitFor()
  await page.close()
  await until('leaving deletes them', async () => (await ask('GET', '/api/did?q=rio')).length === 0)
  assert.deepEqual(troubles(), [])
})

test('a removal is sent after ten seconds; one that is refused comes back with the reason', async () => {
  const t = toolsTexts.en
  const { page, troubles } = await open()
  for (const name of ['to_keep', 'to_remove']) await ask('POST', '/api/tools', { name, type: 'end_call' })
  await page.route('**/api/tools/*', async (route) => {
    if (route.request().method() !== 'DELETE' || !(await isKept(route.request().url()))) return route.continue()
    const body = { statusCode: 409, error: 'Conflict', message: 'It is in use' }
    await route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify(body) })
  })
  const isKept = async (url: string) => (await ask('GET', new URL(url).pathname)).name === 'to_keep'
  await page.clock.install()
  await page.goto('/tools?q=to_&sort=name')
  await rows(page, t.title).nth(1).waitFor()
  await menu(page, 'to_remove', c.remove)
  await menu(page, 'to_keep', c.remove)
  await page.getByText(l.notFound).waitFor()
  await page.clock.fastForward(10_000) // the time in which undo is possible
  await page.getByText(r.notRemoved).waitFor()
  await rows(page, t.title).filter({ hasText: 'to_keep' }).waitFor()
  await until('the other is deleted', async () => (await ask('GET', '/api/tools?q=to_remove')).length === 0)
  assert.equal(await rows(page, t.title).count(), 1)
  assert.deepEqual(troubles(['409 DELETE']), [])
})

test('copy an agent and a trunk; an agent with calls is deleted only by typing its name', async () => {
  const t = agentsTexts.en
  const { page, troubles } = await open()
  await page.goto('/agents?q=recep')
  await menu(page, 'Recepção da Clínica Vida', r.duplicate)
  await page.getByRole('heading', { name: 'Recepção da Clínica Vida (copy)', level: 1 }).waitFor()
  await page.goto(`/trunks/${demo.ids.trunk}`)
  await page.getByRole('button', { name: r.more, exact: true }).click()
  await page.getByRole('menuitem', { name: r.duplicate }).click()
  await page.getByRole('heading', { name: 'Operadora (copy)', level: 1 }).waitFor()
  const trunks: { name: string; isActive: boolean; hasPassword: boolean }[] = await ask('GET', '/api/trunks?q=copy')
  assert.deepEqual([trunks.length, trunks[0]?.isActive, trunks[0]?.hasPassword], [1, false, true])

  await page.goto('/agents?q=order')
  await menu(page, 'Order support', r.removeAgent)
  const dialog = page.getByRole('dialog', { name: r.agentQuestion('Order support') })
  await dialog.getByText(/\d+ calls/).waitFor()
  const button = dialog.getByRole('button', { name: r.removeForGood })
  assert.ok(await button.isDisabled())
  await dialog.getByRole('textbox', { name: r.typeName('Order support') }).fill('order support')
  assert.ok(await button.isDisabled(), 'exactly')
  await dialog.getByRole('textbox').fill('Order support')
  await assertAccessible(page, 'the removal of an agent')
  await button.click()
  await page.getByText(l.notFound).waitFor()
  assert.equal((await ask('GET', '/api/agents?q=order')).length, 0)

  await page.goto('/agents?q=copy')
  await menu(page, 'Recepção da Clínica Vida (copy)', r.removeAgent)
  await page.getByRole('dialog').getByRole('button', { name: r.removeAgent }).click()
  await page.getByText(l.notFound).waitFor()
  await page.getByRole('button', { name: r.undo }).click()
  await rows(page, t.title).first().waitFor()
  assert.deepEqual(troubles(['/api/tts/']), [])
})

test('conversations say who and through what; calls are offered to agents that may call', async () => {
  const t = conversationTexts.en
  const { page, troubles } = await open()
  await page.goto('/conversations?channel=sip')
  const row = rows(page, t.title).first()
  await row.getByText('+55 11 98765-4321').waitFor()
  await row.getByRole('img', { name: t.channels.sip }).waitFor()
  await page.goto('/conversations?channel=web')
  await page.getByText(l.notFound).waitFor()

  await page.goto('/live?place')
  const dialog = page.getByRole('dialog', { name: liveTexts.en.placeTitle })
  await dialog.getByRole('combobox', { name: c.agent }).click()
  await page.getByRole('option', { name: `Filial A (${c.onlyTakes})` }).click()
  await dialog.getByText(phoneTexts.en.agentOnlyTakes).waitFor()
  await dialog.getByRole('button', { name: phoneTexts.en.makeAgentCall }).click()
  await dialog.getByText(phoneTexts.en.agentOnlyTakes).waitFor({ state: 'detached' })
  const [agent] = await ask('GET', '/api/agents?q=Filial%20A')
  assert.equal(agent.direction, 'both')
  assert.deepEqual(troubles(), [])
})

test('on a phone rows are two lines, nothing overflows, and rows can be selected', async () => {
  const { page, troubles } = await open('phone')
  for (const [path, title] of [
    ['/agents', agentsTexts.en.title],
    ['/calls', callsTexts.en.title],
    ['/numbers', numbersTexts.en.title],
    ['/tools', toolsTexts.en.title],
  ] as const) {
    await page.goto(path)
    await rows(page, title).first().waitFor()
    assert.equal((await rows(page, title).first().boundingBox())?.height, 60, path)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= 390, `${path} is ${wide} wide`)
    await assertAccessible(page, path)
  }
  await rows(page, toolsTexts.en.title).first().getByRole('checkbox').check()
  await page.getByText(l.selected(1)).waitFor()
  assert.deepEqual(troubles(), [])
})
