// The agent's script: variables are completed and checked, the unsaved draft is tested by text and by voice, then
// saved.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { transcriptTexts } from '../../web/src/components/transcript-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { agentTexts } from '../../web/src/pages/agents/agent-texts.ts'
import { connectionsTexts } from '../../web/src/pages/agents/connections-texts.ts'
import { editorFieldTexts } from '../../web/src/pages/agents/editor/editor-texts.ts'
import { testPanelTexts } from '../../web/src/pages/agents/testing/test-panel-texts.ts'
import { callsTexts } from '../../web/src/pages/calls/calls-texts.ts'
import { talkTexts } from '../../web/src/pages/talk/talk-texts.ts'
import { until } from '../until.ts'
import { apiOf, assertAccessible, loudest, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const t = agentTexts.en
const panel = testPanelTexts.en
const editing = editorFieldTexts.en

let demo: Demo
let browser: Browser
let ask: ReturnType<typeof apiOf>

before(async () => {
  demo = await startDemo()
  browser = await openBrowser()
  ask = apiOf(demo)
})

const kept = (id: string) => ask('GET', `/api/agents/${id}`)
const prompt = (page: Page) => page.getByRole('textbox', { name: t.prompt, exact: true })
const testTab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: panel.ways }).getByRole('tab', { name, exact: true })

const newAgent = async (): Promise<string> =>
  (
    await ask('POST', '/api/agents', {
      name: 'Sam',
      systemPrompt: 'You are Sam of {{company}}.',
      language: 'en-US',
      initialSpeech: 'Hello!',
      settings: { variables: { company: 'Northwind' } },
    })
  ).id

test('by keyboard: complete a variable, mend an unknown one, test the draft in writing, save, reload', async () => {
  const id = await newAgent()
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  await page.goto(`/agents/${id}`)
  await prompt(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n# Hours\n\nWe are open from 9 to 5.\n\nThe caller is {{cal')
  const options = page.getByRole('listbox', { name: editing.variables }).getByRole('option')
  await options.first().waitFor()
  assert.match((await options.first().textContent()) ?? '', /^caller/)
  assert.ok(await prompt(page).getAttribute('aria-activedescendant'))
  await page.keyboard.press('Enter')
  await page.keyboard.type('. Ask {{compny}} and {name}.')
  const written =
    'You are Sam of {{company}}.\n# Hours\n\nWe are open from 9 to 5.\n\nThe caller is {{caller}}. Ask {{compny}} and {name}.'
  const lines = async () => (await prompt(page).locator('.cm-line').allTextContents()).join('\n')
  assert.equal(await lines(), written)
  assert.equal(await prompt(page).locator('.cm-heading').count(), 1)
  assert.deepEqual(await prompt(page).locator('.cm-variable-unknown').allTextContents(), ['{{compny}}'])

  await page.getByText(editing.issue.unknown).waitFor()
  await page.getByText(editing.issue.oneBrace).waitFor()
  await page.getByText(/about \d+ tokens/).waitFor()
  await page.getByRole('button', { name: editing.use('{{company}}') }).click()
  await page.getByText(editing.issue.unknown).waitFor({ state: 'detached' })
  await prompt(page).focus()
  await page.keyboard.press('Control+z')
  await page.getByText(editing.issue.unknown).waitFor()
  await page.getByRole('button', { name: editing.use('{{company}}') }).click()
  await page.getByRole('button', { name: editing.use('{{name}}') }).click()
  await page.getByRole('button', { name: `${editing.define}: name` }).click()
  await page.getByRole('textbox', { name: `${t.standard}: name` }).fill('Ana')
  await assertAccessible(page, 'the editor with warnings')

  await prompt(page).focus()
  await page.keyboard.press('Tab')
  assert.equal(
    await prompt(page).evaluate((one) => one.contains(document.activeElement)),
    false,
    'Tab leaves the editor',
  )

  await testTab(page, panel.text).click()
  await page.getByRole('textbox', { name: transcriptTexts.en.write }).fill('When are you open?')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('We are open from 9 to 5.').waitFor()
  assert.equal((await kept(id)).systemPrompt, 'You are Sam of {{company}}.', 'nothing was saved')

  await prompt(page).focus()
  await page.keyboard.press('Control+s')
  await page.getByText(t.unsaved).waitFor({ state: 'detached' })
  const agent = await kept(id)
  assert.equal(agent.systemPrompt, written.replace('compny', 'company').replace('{name}', '{{name}}'))
  assert.equal(agent.settings.variables.name, 'Ana')
  await page.reload()
  await prompt(page).waitFor()
  assert.equal(await lines(), agent.systemPrompt)
  assert.deepEqual(troubles(), [])
})

test('the unsaved greeting is heard in a test call, with the values of the test, and stays unsaved', async () => {
  const id = await newAgent()
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  await page.goto(`/agents/${id}`)
  await page
    .getByRole('textbox', { name: t.openingPhrase, exact: true })
    .fill('Good morning, {{visitor}}. This is the draft.')
  await testTab(page, panel.variables).click()
  await page.getByRole('textbox', { name: panel.valueOf('visitor') }).fill('Ana')
  await testTab(page, panel.voice).click()
  await page.getByRole('button', { name: talkTexts.en.start }).click()
  await page.locator('[data-live=agent]').getByText('Good').waitFor()
  await until('the greeting is heard', async () => (await loudest(page)) > 0.02)
  const line = page.getByRole('log').getByText('Good morning, Ana. This is the draft.')
  await line.waitFor()
  await until('the transcript is in view during the call', async () => {
    const place = await line.boundingBox()
    return place && place.y + place.height < 700
  })
  await page
    .getByRole('log')
    .getByText(/· 0:\d\d$/)
    .waitFor()
  await page.getByRole('button', { name: talkTexts.en.hangUp }).click()
  const link = page.getByRole('link', { name: talkTexts.en.openCall })
  const callId = /cal_\w+/.exec((await link.getAttribute('href')) ?? '')?.[0]
  assert.deepEqual((await ask('GET', `/api/calls/${callId}`)).metadata, { isTest: true })
  await page.goto('/calls?test=true')
  const row = page
    .getByRole('row', { name: new RegExp(callsTexts.en.isTest) })
    .filter({ has: page.getByRole('gridcell') })
  await row.first().waitFor()
  await page.goto('/calls?test=false')
  await page.getByRole('grid', { name: callsTexts.en.title }).locator('[role=row][aria-selected]').first().waitFor()
  assert.equal(await row.count(), 0)
  assert.equal((await kept(id)).initialSpeech, 'Hello!')
  assert.deepEqual(troubles(), [])
})

test('on a phone the test is a sheet, and the bar with Save stays in view below a long text', async () => {
  const id = await newAgent()
  await ask('PATCH', `/api/agents/${id}`, { systemPrompt: 'A line of the script.\n'.repeat(120) })
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en', screen: 'phone' })
  await page.goto(`/agents/${id}`)
  await prompt(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('The last line.')
  const save = page.getByRole('button', { name: commonTexts.en.save, exact: true })
  const [bar, line] = [await save.boundingBox(), await page.getByText('The last line.').boundingBox()]
  assert.ok(bar && line && bar.y >= 0 && bar.y + bar.height < line.y, 'Save is above the line')
  assert.ok(line.y + line.height < 844, 'the line is in view')
  await page.getByRole('button', { name: t.test, exact: true }).click()
  const sheet = page.getByRole('dialog', { name: t.test })
  await sheet.getByText(panel.about).waitFor()
  await assertAccessible(page, 'the sheet')
  await sheet.getByRole('button', { name: commonTexts.en.close }).click()
  await sheet.waitFor({ state: 'detached' })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  assert.ok(overflow <= 1, `${overflow} pixels wider than the screen`)
  await page.getByRole('tab', { name: t.group.connections, exact: true }).click()
  await page.waitForURL(/tab=tools/)
  await page.getByText(connectionsTexts.en.noTools).waitFor()
  assert.deepEqual(troubles(), [])
})

test('a knowledge base is attached and detached without a word about tools; one is created here', async () => {
  const id = await newAgent()
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  const words = connectionsTexts.en
  const linked = async () =>
    ((await ask('GET', `/api/agents/${id}/tools`)) as { name: string }[]).map(({ name }) => name)
  const before = ((await ask('GET', '/api/tools')) as unknown[]).length
  await page.goto(`/agents/${id}?tab=knowledge`)
  await page.getByText(words.noBases).waitFor()
  await page.getByRole('button', { name: words.newBase }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: commonTexts.en.name }).fill('Prices')
  await dialog.getByRole('button', { name: commonTexts.en.create }).click()
  const mine = page.getByRole('list', { name: words.knowledge })
  await mine.getByRole('link', { name: 'Prices' }).waitFor()
  assert.deepEqual(await linked(), ['Search Prices'])
  await mine.getByRole('button', { name: `${words.unlink}: Prices` }).click()
  await page.getByText(words.noBases).waitFor()
  assert.deepEqual(await linked(), [])
  assert.equal(((await ask('GET', '/api/tools')) as unknown[]).length, before, 'its tool is gone')
  assert.deepEqual(troubles(), [])
})
