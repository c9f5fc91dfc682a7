// The call pages: scroll, filter, search and open by keyboard; play a recording and inspect the call.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { listTexts } from '../../web/src/components/list/list-texts.ts'
import { sipLadderTexts } from '../../web/src/components/sip-ladder-texts.ts'
import { transcriptTexts } from '../../web/src/components/transcript-texts.ts'
import { waterfallTexts } from '../../web/src/components/waterfall-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { callTexts } from '../../web/src/pages/calls/call-texts.ts'
import { callsTexts } from '../../web/src/pages/calls/calls-texts.ts'
import { until } from '../until.ts'
import { apiOf, assertAccessible, forgetSounds, loudest, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, putCalls, startDemo } from './demo.ts'
import { putLongCall } from './demo-call.ts'

const t = callsTexts.en
const l = listTexts.en
const c = callTexts.en
const MANY = 3000
const RECEPTION = 'Recepção da Clínica Vida'

let demo: Demo
let browser: Browser

before(async () => {
  demo = await startDemo()
  await putCalls(demo.database.db, demo.userId, [demo.ids.agent], demo.ids.trunk, MANY)
  browser = await openBrowser()
})

const open = () => visitSignedIn(browser, demo, { language: 'en' })
const gridOf = (page: Page) => page.getByRole('grid', { name: t.title })
const rowsOf = (page: Page) => gridOf(page).locator('[role=row][aria-selected]')
const countOfCalls = async () => {
  const { count } = await demo.database.db
    .selectFrom('calls')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('the total is told at once; columns that are chosen are exported, for every call that matches', async () => {
  const { page, troubles } = await open()
  const q = '98765-4321'
  await page.goto(`/calls?q=${q}`)
  const found = await apiOf(demo)('GET', `/api/calls?q=${q}`)
  await page.getByText(t.count(String(found.length), found.length === 1), { exact: true }).waitFor()
  await page.getByRole('button', { name: l.columns }).click()
  const chosen = [t.response, t.goal, t.summary, t.campaign, t.tests, 'ID']
  for (const name of chosen) await page.getByRole('checkbox', { name, exact: true }).check()
  await page.keyboard.press('Escape')
  for (const name of chosen) await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await assertAccessible(page, 'the calls with more columns')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: l.export }).click()
  const [head = '', ...rows] = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n')
  for (const name of chosen) assert.ok(head.split(',').includes(name), `${name}: ${head}`)
  assert.equal(rows.length, found.length)
  const row = rows.find((one) => one.endsWith(demo.ids.call)) ?? ''
  assert.match(row, /,0\.\d+,Met,"A paciente marcou uma consulta/)
  await page.goto('/calls')
  await page
    .getByText(t.count((await countOfCalls()).toLocaleString('en-US'), false))
    .first()
    .waitFor()
  assert.deepEqual(troubles(), [])
})

test('scroll thousands of calls by keyboard; only visible rows are rendered', async () => {
  const { page, troubles } = await open()
  await page.goto('/calls')
  await rowsOf(page).first().waitFor()
  await gridOf(page).focus()
  const count = await countOfCalls()
  const active = async () => (await gridOf(page).getAttribute('aria-activedescendant')) ?? ''
  await until(
    'the last row is the active one',
    async () => {
      await page.keyboard.press('End')
      const row = gridOf(page).locator(`[aria-rowindex="${count + 1}"]`)
      return (await row.count()) === 1 && (await row.getAttribute('id')) === (await active())
    },
    40_000,
  )
  assert.ok((await rowsOf(page).count()) < 80, 'only those in view')
  await assertAccessible(page, 'a long list of calls')

  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowUp')
  const top = () => page.evaluate(() => Math.round(window.scrollY))
  let before = await top()
  await until('the list stands still, with its active row', async () => {
    const now = await top()
    const isStill = now === before && (await active()) !== ''
    before = now
    return isStill
  })
  const id = (await active()).replace('row-', '')
  assert.ok(before > 50_000, 'far down')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/calls/${id}$`))
  await page.getByRole('region', { name: c.facts }).waitFor()
  await page.goBack()
  await rowsOf(page).first().waitFor()
  await until('the list is where it was left', async () => Math.abs((await top()) - before) < 5)
  assert.deepEqual(troubles(), [])
})

test('filter and search calls; the address keeps the filters; clear them', async () => {
  const { page, troubles } = await open()
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await page.goto('/calls')
  await choose(commonTexts.en.status, c.status.failed)
  await choose(t.direction, c.direction.outbound)
  await choose(commonTexts.en.agent, RECEPTION)
  await page.waitForURL(/agent=agt_/)
  const texts = async () => (await rowsOf(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  const isFit = (text: string) => text.includes(c.status.failed) && text.includes(RECEPTION)
  const seen = await until('only those are listed', async () => {
    const rows = await texts()
    return rows.length > 0 && rows.every(isFit) && rows
  })
  const agent = new URL(page.url()).searchParams.get('agent')
  const wanted = await apiOf(demo)('GET', `/api/calls?status=failed&direction=outbound&agentId=${agent}&limit=250`)
  await page.getByText(t.count(String(wanted.length), wanted.length === 1), { exact: true }).waitFor()
  await page.reload()
  await until('a reload shows the same', async () => (await texts()).join() === seen.join())

  await page.getByRole('button', { name: l.clear, exact: true }).first().click()
  await until('all are listed', async () => (await texts()).some((text) => !isFit(text)))
  assert.equal(new URL(page.url()).search, '')

  const search = page.getByRole('searchbox', { name: t.searchLabel })
  await search.fill('nove horas está')
  await page.getByText(t.count('1', true), { exact: true }).waitFor()
  await rowsOf(page).getByText('+55 11 98765-4321').waitFor()
  await search.fill('nobody ever said this')
  await page.getByText(l.notFound).waitFor()
  await search.fill('(11) 98765-4321')
  await rowsOf(page).getByText('+55 11 98765-4321').first().waitFor()
  await rowsOf(page).first().click()
  await page.waitForURL(new RegExp(`/calls/${demo.ids.call}$`))
  assert.deepEqual(troubles(), [])
})

test('play a call from any transcript line; see response times, tools and SIP messages', async (t1) => {
  const { page, troubles } = await open()
  await page.goto(`/calls/${demo.ids.call}`)
  const main = page.getByRole('main')
  const recording = main.getByRole('region', { name: c.recording })
  const player = recording.locator('audio')
  const seconds = () => player.evaluate((audio: HTMLAudioElement) => audio.currentTime)

  await t1.test('a click on a line plays the recording from there, and the line is marked', async () => {
    await recording.getByText('/ 0:27').waitFor()
    const line = main.getByRole('listitem').filter({ hasText: 'Nove horas está ótimo.' })
    await line.getByRole('button').click()
    await until('it plays', async () => (await seconds()) > 12)
    await until('it is heard', async () => (await loudest(page)) > 0.02)
    assert.ok((await seconds()) < 27)
    await main.locator('[aria-current=true]').waitFor()
    await recording.getByRole('button', { name: c.pause }).click()
    await recording.getByRole('button', { name: c.play, exact: true }).waitFor()

    const greeting = main.getByRole('listitem').filter({ hasText: 'Clínica Vida, bom dia!' })
    await greeting.getByRole('button').focus()
    await forgetSounds(page)
    await page.keyboard.press('Enter')
    await until('the first words are heard', async () => (await loudest(page)) > 0.02)
    assert.ok((await seconds()) < 8, 'from the beginning')
    await recording.getByRole('button', { name: c.pause }).click()
  })

  await t1.test('the waterfall tells the stages of each answer', async () => {
    await main.getByRole('tab', { name: c.latencyTab }).click()
    await main.getByText(waterfallTexts.en.turns(3)).waitFor()
    const turn = page.getByRole('button', { name: new RegExp(waterfallTexts.en.turn(2)) })
    await turn.click()
    assert.equal(await turn.getAttribute('aria-expanded'), 'true')
    const stages = main.getByRole('listitem').filter({ has: turn })
    await stages.getByText('812 ms', { exact: true }).waitFor()
    await assertAccessible(page, 'the waterfall')
  })

  await t1.test('what a tool was given and what came back', async () => {
    await main.getByRole('tab', { name: c.toolsTab }).click()
    await main.getByText('agenda__create_event').first().waitFor()
    await main.getByText(/Consulta: Maria Souza/).waitFor()
    await main.getByText('Marcado: sábado, 21 de novembro, 9h.').waitFor()
    await main.getByText(transcriptTexts.en.toolStatus.done).first().waitFor()
  })

  await t1.test('the ladder of its SIP messages, each of which opens', async () => {
    await main.getByRole('tab', { name: c.sipTab }).click()
    const invite = main.getByRole('button', { name: /INVITE/ }).first()
    await invite.click()
    await main
      .getByText(/Call-ID: demo@203\.0\.113\.7/)
      .first()
      .waitFor()
    assert.equal(await main.getByRole('group', { name: sipLadderTexts.en.title }).getByRole('listitem').count(), 7)
    await assertAccessible(page, 'the ladder')
  })

  const menu = async (name: string) => {
    await main.getByRole('button', { name: commonTexts.en.moreActions }).click()
    await page.getByRole('menuitem', { name }).click()
  }

  await t1.test('who, when and how long; the transcript as a text file; the id to copy', async () => {
    const title = await main.getByRole('heading', { level: 1 }).innerText()
    assert.match(title, /98765.?4321 · \w+ \d+, .+ · 0:27$/)
    const [file] = await Promise.all([page.waitForEvent('download'), menu(c.downloadTranscript)])
    assert.match(file.suggestedFilename(), /98765-?4321.*\.txt$/)
    const text = readFileSync(await file.path(), 'utf8')
    assert.match(text, /\[0:0\d\] Recepção da Clínica Vida: Clínica Vida, bom dia!/)
    assert.match(text, new RegExp(`${transcriptTexts.en.caller}: Nove horas está ótimo\\.`))
    await menu(commonTexts.en.copyId)
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), demo.ids.call)
  })

  const remove = () => menu(c.delete)
  await t1.test('what was made of it, and removing it asks first', async () => {
    await main.getByText(/marcou uma consulta com a doutora Helena/).waitFor()
    await remove()
    const dialog = page.getByRole('dialog', { name: c.deleteQuestion })
    await dialog.getByRole('button', { name: commonTexts.en.cancel }).click()
    await dialog.waitFor({ state: 'detached' })
    await remove()
    await dialog.getByRole('button', { name: c.delete }).click()
    await page.waitForURL(/\/calls$/)
    await rowsOf(page).first().waitFor()
    await assert.rejects(apiOf(demo)('GET', `/api/calls/${demo.ids.call}`), /404/)
  })
  assert.deepEqual(troubles(), [])
})

test('the page follows a long transcript while its recording plays, unless its reader has scrolled away', async () => {
  const { page, troubles } = await open()
  const { callId, lines: count } = await putLongCall(demo)
  await page.goto(`/calls/${callId}`)
  const lines = page.getByRole('main').locator('[data-line]')
  await lines.nth(count - 1).waitFor()
  const playing = () =>
    lines.evaluateAll((all) => {
      const number = all.findIndex((line) => line.ariaCurrent === 'true')
      const { top = -1, bottom = -1 } = all[number]?.getBoundingClientRect() ?? {}
      return { number, isInView: top >= 0 && bottom <= innerHeight, scrolled: scrollY }
    })
  const setRate = (rate: number) =>
    page.locator('audio').evaluate((audio: HTMLAudioElement, value) => {
      audio.playbackRate = value
    }, rate)
  await setRate(4)
  await lines.nth(0).getByRole('button').click()
  assert.equal((await playing()).scrolled, 0, 'the first line is on the first screen')
  const isLastInView = async () => {
    const { number, isInView, scrolled } = await playing()
    return number === count - 1 && isInView && scrolled > 0
  }
  await until('the last line is in view when it plays', isLastInView, 40_000)

  await setRate(1)
  const middle = count / 2
  await lines.nth(middle).getByRole('button').click()
  await until('it plays from there', async () => (await playing()).number === middle)
  await page.evaluate(() => window.scrollTo(0, 0))
  await until('it plays on', async () => (await playing()).number > middle + 1)
  const { isInView, scrolled } = await playing()
  assert.deepEqual([isInView, scrolled], [false, 0], 'the page stays where its reader is')
  assert.deepEqual(troubles(), [])
})
