// Every form of a record: a field is changed, saved, and read back through the API.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { callbacksTexts } from '../../web/src/pages/callbacks/callbacks-texts.ts'
import { rulesTexts } from '../../web/src/pages/calling-rules/rules-texts.ts'
import { wizardTexts } from '../../web/src/pages/campaigns/wizard-texts.ts'
import { devicesTexts } from '../../web/src/pages/devices/devices-texts.ts'
import { numbersTexts } from '../../web/src/pages/numbers/numbers-texts.ts'
import { spreadsheetsTexts } from '../../web/src/pages/spreadsheets/spreadsheets-texts.ts'
import { suppressionsTexts } from '../../web/src/pages/suppressions/suppressions-texts.ts'
import { toolFormTexts } from '../../web/src/pages/tools/tool-form-texts.ts'
import { trunkFormTexts } from '../../web/src/pages/trunks/trunk-form-texts.ts'
import { webhooksTexts } from '../../web/src/pages/webhooks/webhooks-texts.ts'
import { apiOf, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const c = commonTexts.en
/** A value that no form has before. */
const NEW = 'https://changed.example/by-the-form'

type Case = {
  what: string
  /** Path of the dashboard page. */
  page: string
  /** Path of the record in the API. */
  record: string
  /** Opens a form that the page does not show initially. */
  open?: (page: Page) => Promise<unknown>
  /** The label of a text field, or a function that changes something else. */
  change: string | ((page: Page) => Promise<unknown>)
  saveLabel?: string
  /** The record's fields afterwards. */
  becomes: object
}

let demo: Demo
let browser: Browser
let cases: Case[]

const pick = (menu: (page: Page) => Locator, entry: string) => async (page: Page) => {
  await menu(page).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first()

before(async () => {
  demo = await startDemo({ EMBEDDED_VOICE: 'off' })
  browser = await openBrowser()
  cases = [...(await formsOfPages(demo)), ...(await formsInDialogs(demo))]
})

const named = { change: c.name, becomes: { name: NEW } }

async function formsOfPages({ ids }: Demo): Promise<Case[]> {
  const ask = apiOf(demo)
  const { pack } = await ask('GET', '/api/calling-rules/br-strict')
  const rules = await ask('POST', '/api/calling-rules', { name: 'My rules', pack })
  const draft = await ask('POST', '/api/campaigns', { name: 'Draft', agentId: ids.agent })
  return [
    { what: 'agent', page: `/agents/${ids.agent}?tab=general`, record: `/api/agents/${ids.agent}`, ...named },
    {
      what: 'trunk',
      page: `/trunks/${ids.trunk}`,
      record: `/api/trunks/${ids.trunk}`,
      change: trunkFormTexts.en.name,
      becomes: { name: NEW },
    },
    { what: 'widget', page: `/widgets/${ids.widget}`, record: `/api/widgets/${ids.widget}`, ...named },
    {
      what: 'tool',
      page: `/tools/${ids.tool}`,
      record: `/api/tools/${ids.tool}`,
      change: toolFormTexts.en.url,
      becomes: { requestUrl: NEW },
    },
    {
      what: 'knowledge base',
      page: `/knowledge/${ids.knowledge}`,
      record: `/api/knowledge-bases/${ids.knowledge}`,
      ...named,
    },
    {
      what: 'rehearsal',
      page: `/rehearsals/${ids.rehearsal}`,
      record: `/api/rehearsal-scripts/${ids.rehearsal}`,
      ...named,
    },
    {
      what: 'calling rules',
      page: `/calling-rules/${rules.id}`,
      record: `/api/calling-rules/${rules.id}`,
      change: rulesTexts.en.rename,
      becomes: { name: NEW },
    },
    {
      what: 'campaign',
      page: `/campaigns/${draft.id}/edit`,
      record: `/api/campaigns/${draft.id}`,
      change: wizardTexts.en.name,
      saveLabel: wizardTexts.en.finish,
      becomes: { name: NEW },
    },
  ]
}

async function formsInDialogs({ ids }: Demo): Promise<Case[]> {
  const ask = apiOf(demo)
  const first = async (path: string) => (await ask('GET', path))[0]
  const number = await first('/api/did')
  const device = await first('/api/gateway/devices')
  const webhook = await first('/api/webhooks')
  const callback = await first('/api/callbacks')
  const list = await ask('GET', `/api/suppression-lists/${ids.suppressionList}`)
  const row = await first(`/api/spreadsheets/${ids.sheet}/rows`)
  return [
    {
      what: 'spreadsheet',
      page: `/spreadsheets/${ids.sheet}`,
      record: `/api/spreadsheets/${ids.sheet}`,
      open: pick(button(spreadsheetsTexts.en.more), spreadsheetsTexts.en.rename),
      ...named,
    },
    {
      what: 'row of a spreadsheet',
      page: `/spreadsheets/${ids.sheet}`,
      record: `/api/spreadsheets/${ids.sheet}/rows?limit=1`,
      open: (page) => page.getByRole('gridcell', { name: row.values.Nome, exact: true }).click(),
      change: 'Nome',
      becomes: [{ values: { Nome: NEW } }],
    },
    {
      what: 'number',
      page: '/numbers',
      record: `/api/did/${number.id}`,
      open: (page) => page.getByRole('row').nth(1).click(),
      change: (page) => page.getByRole('switch', { name: numbersTexts.en.isActive }).click(),
      becomes: { status: 'inactive' },
    },
    {
      what: 'device',
      page: '/devices',
      record: `/api/gateway/devices/${device.id}`,
      open: pick(button(devicesTexts.en.menu(device.name)), devicesTexts.en.edit),
      change: async (page) => {
        await page.getByRole('textbox', { name: devicesTexts.en.name, exact: true }).fill(NEW)
        await page.getByRole('textbox', { name: devicesTexts.en.maxCalls, exact: true }).fill('3')
        await page.getByRole('switch', { name: devicesTexts.en.record, exact: true }).click()
      },
      becomes: { name: NEW, maxConcurrentCalls: 3, recordCalls: !device.recordCalls },
    },
    {
      what: 'webhook',
      page: '/webhooks',
      record: `/api/webhooks/${webhook.id}`,
      open: pick(button(webhooksTexts.en.menu(webhook.url)), c.edit),
      change: webhooksTexts.en.url,
      becomes: { url: NEW },
    },
    {
      what: 'suppression list',
      page: '/suppressions/lists',
      record: `/api/suppression-lists/${list.id}`,
      open: pick(button(`${c.actions}: ${list.name}`), c.edit),
      change: suppressionsTexts.en.listName,
      becomes: { name: NEW },
    },
    {
      what: 'note of a call-back',
      page: '/callbacks',
      record: `/api/callbacks/${callback.id}`,
      open: (page) => page.getByRole('row').nth(1).click(),
      change: callbacksTexts.en.note,
      saveLabel: callbacksTexts.en.save,
      becomes: { note: NEW },
    },
  ]
}

test('what is changed in a form and saved is stored', async (t) => {
  const { page, troubles } = await visitSignedIn(browser, demo, { language: 'en' })
  for (const { what, page: path, record, open, change, saveLabel = c.save, becomes } of cases)
    await t.test(what, async () => {
      await page.goto(path, { waitUntil: 'commit' })
      await open?.(page)
      if (typeof change === 'string') await page.getByRole('textbox', { name: change, exact: true }).fill(NEW)
      else await change(page)
      const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await page.getByRole('button', { name: saveLabel, exact: true }).click()
      await answered
      assert.partialDeepStrictEqual(await apiOf(demo)('GET', record), becomes)
    })
  assert.deepEqual(troubles(), [])
})
