// Spreadsheets: create, upload, edit, ten thousand rows, usage.
// @run rest
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { usageTexts } from '../../web/src/components/usage-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { spreadsheetsTexts } from '../../web/src/pages/spreadsheets/spreadsheets-texts.ts'
import { anAgent, startTestApp } from '../app.ts'
import { until } from '../until.ts'
import { addressOf } from '../web-caller.ts'
import { apiOf, assertAccessible, openBrowser, type Site, visitSignedIn } from './browser.ts'

const [t, c, u] = [spreadsheetsTexts.en, commonTexts.en, usageTexts.en]
const MANY = 10_000

let site: Site
let browser: Browser

before(async () => {
  const app = await startTestApp()
  site = { url: await addressOf(app), key: app.app.firstKey as string }
  browser = await openBrowser()
  await apiOf(site)('POST', '/api/agents', { ...anAgent, name: 'Order support' })
})

const open = () => visitSignedIn(browser, site, { language: 'en' })
const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true })
const choose = async (page: Page, item: string | RegExp) => {
  await page.getByRole('button', { name: t.more }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('create a spreadsheet, edit rows, download, link to an agent, rename, delete', async () => {
  const { page, troubles } = await open()
  await page.goto('/spreadsheets')
  await page.getByText(t.emptyTitle).waitFor()
  assert.equal(await page.getByRole('link', { name: t.makeTool }).getAttribute('href'), '/tools/new?type=spreadsheet')
  await assertAccessible(page, 'no spreadsheets')
  await page.getByRole('button', { name: t.make }).click()
  const form = page.getByRole('dialog', { name: t.make })
  await form.getByRole('button', { name: c.create }).click()
  await form.getByText(t.nameNeeded).waitFor()
  await form.getByText(t.columnsNeeded).waitFor()
  await form.getByRole('textbox', { name: c.name }).fill('Orders')
  await form.getByLabel(t.columns).first().fill('Order')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Customer,Paid') // the last column counts without Enter
  await form.getByRole('button', { name: c.create }).click()
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.getByText(t.noRows).waitFor()

  await page.getByRole('button', { name: t.addRow }).click()
  const adding = page.getByRole('dialog', { name: t.addRow })
  await adding.getByRole('button', { name: c.save }).click()
  await adding.getByText(t.notEmpty).waitFor()
  await adding.getByRole('textbox', { name: 'Order', exact: true }).fill('77')
  await adding.getByRole('textbox', { name: 'Customer' }).fill('Ana')
  await adding.getByRole('button', { name: c.save }).click()
  await cell(page, 'Ana').waitFor()
  await page.getByRole('button', { name: t.addRow }).click()
  await adding.getByRole('textbox', { name: 'Order', exact: true }).fill('007')
  await page.keyboard.press('Control+Enter')
  await cell(page, '007').waitFor()
  await page.getByText(`2 rows · ${t.columnCount(3)}`).waitFor()
  const id = /sht_\w+/.exec(page.url())?.[0]
  const rows = async () => (await apiOf(site)('GET', `/api/spreadsheets/${id}/rows`)) as { values: object }[]
  assert.deepEqual(
    (await rows()).map(({ values }) => values),
    [
      { Order: 77, Customer: 'Ana', Paid: null },
      { Order: '007', Customer: null, Paid: null },
    ],
  )

  await cell(page, 'Ana').click()
  const editing = page.getByRole('dialog', { name: t.editRow(1) })
  await assertAccessible(page, 'a row that is written')
  await editing.getByRole('textbox', { name: 'Customer' }).fill('Ana Souza')
  await editing.getByRole('button', { name: c.save }).click()
  await cell(page, 'Ana Souza').waitFor()
  assert.deepEqual((await rows())[0]?.values, { Order: 77, Customer: 'Ana Souza', Paid: null })

  await editing.waitFor({ state: 'detached' }) // it returns the focus once it has closed
  // Rows are reachable with the keyboard alone.
  await page.getByRole('grid', { name: 'Orders' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const second = page.getByRole('dialog', { name: t.editRow(2) })
  await second.getByRole('button', { name: t.removeRow }).click()
  const sure = page.getByRole('dialog', { name: t.removeRowQuestion(2) })
  await sure.getByRole('button', { name: t.removeRow }).click()
  await cell(page, '007').waitFor({ state: 'detached' })
  assert.equal((await rows()).length, 1)

  for (const [item, ending, start] of [
    [t.asCsv, 'csv', 'Order,Customer,Paid'],
    [t.asXlsx, 'xlsx', 'PK'],
  ] as const) {
    await page.getByRole('button', { name: t.download }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item }).click()
    const download = await coming
    assert.equal(download.suggestedFilename(), `Orders.${ending}`)
    assert.ok(
      readFileSync(await download.path(), 'latin1')
        .replace('ï»¿', '')
        .startsWith(start),
    )
  }

  await page.getByText(t.notUsed).waitFor()
  await page.getByRole('combobox', { name: u.give }).click()
  await page.getByRole('option', { name: 'Order support' }).click()
  await page.getByRole('button', { name: u.link, exact: true }).click()
  await page.getByText(t.given).waitFor()
  const use = page.getByRole('region', { name: t.use })
  await use.getByRole('link', { name: 'Order support' }).waitFor()
  assert.equal((await apiOf(site)('GET', `/api/spreadsheets/${id}/tools`)).length, 1)

  await choose(page, t.rename)
  const naming = page.getByRole('dialog', { name: t.rename })
  await naming.getByRole('textbox', { name: c.name }).fill('Deliveries')
  await naming.getByRole('button', { name: c.save }).click()
  await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  await choose(page, t.removeSheet)
  const removing = page.getByRole('dialog', { name: t.removeQuestion('Deliveries') })
  await removing.getByText(u.inUse('Order support')).waitFor()
  await removing.getByRole('button', { name: c.remove }).click()
  await page.waitForURL(/\/spreadsheets$/)
  await page.getByText(t.emptyTitle).waitFor()
  assert.deepEqual(troubles(), [])
})

test('upload ten thousand rows, scroll to the end, search, replace', async () => {
  const { page, troubles } = await open()
  await page.goto('/spreadsheets')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: t.upload }).click()
  const lines = Array.from(
    { length: MANY },
    (_, i) => `${i + 1},person ${i + 1},${i === 7654 ? 'Belém do Pará' : 'Recife'}`,
  )
  await (await chooser).setFiles(csv('Everybody.csv', `Number,Name,City\n${lines.join('\n')}`))
  await page.getByRole('heading', { name: 'Everybody', level: 1 }).waitFor()
  await page.getByText(`${t.rowCount(MANY, '10,000')} · ${t.columnCount(3)}`).waitFor()
  const grid = page.getByRole('grid', { name: 'Everybody' })
  await cell(page, 'person 1').waitFor()
  await assertAccessible(page, 'ten thousand rows')
  await grid.focus()
  const end = async () => {
    await page.keyboard.press('End')
    return (await cell(page, `person ${MANY}`).count()) === 1
  }
  await until('the last row is there', end, 20_000)
  assert.ok((await page.getByRole('row').count()) < 60, 'only what can be seen is in the document')

  const search = page.getByRole('searchbox', { name: t.searchRows })
  await search.fill('belem')
  await page.getByText(t.found(1, false)).waitFor()
  await cell(page, 'person 7655').waitFor()
  await search.fill('nobody')
  await page.getByText(t.nothing).first().waitFor()
  await search.fill('')
  await cell(page, 'person 1').waitFor()

  const again = page.waitForEvent('filechooser')
  await choose(page, t.replace)
  await (await again).setFiles(csv('few.csv', 'Fruit\napple\npear'))
  const sure = page.getByRole('dialog', { name: t.replaceQuestion('few.csv') })
  await sure.getByText(t.replaceText(t.rowCount(MANY, '10,000'))).waitFor()
  await sure.getByRole('button', { name: t.replaceGo }).click()
  await cell(page, 'pear').waitFor()
  assert.equal(await page.getByRole('columnheader', { name: 'City' }).count(), 0)

  // The page reports what an agent writes meanwhile, and shows it on request.
  const id = /sht_\w+/.exec(page.url())?.[0]
  await apiOf(site)('POST', `/api/spreadsheets/${id}/rows`, { values: { Fruit: 'fig' } })
  await until(
    'it is told',
    async () => {
      // Returning to the page makes it check for changes.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      return (await page.getByText(t.hasChanged).count()) > 0
    },
    25_000,
  )
  await page.getByRole('button', { name: c.refresh }).click()
  await cell(page, 'fig').waitFor()
  await page.getByText(t.hasChanged).waitFor({ state: 'detached' })
  assert.deepEqual(troubles(), [])
})

test('an unreadable file is rejected with a message and leaves nothing behind', async () => {
  const { page, troubles } = await open()
  await page.goto('/spreadsheets')
  const upload = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: t.upload }).click()
    await (await chooser).setFiles(file)
  }
  const told = async (words: string | RegExp) => {
    const alert = page.getByRole('alert').filter({ hasText: words })
    await alert.getByRole('button', { name: c.close }).click()
    await alert.waitFor({ state: 'detached' })
  }
  await upload(csv('letter.docx', 'x'))
  await told(t.wrongType('letter.docx'))
  await upload(csv('huge.csv', `A\n${'x'.repeat(5 * 1024 * 1024)}`))
  await told(t.tooLarge('huge.csv'))
  await upload(csv('twice.csv', 'Name,name\n1,2'))
  await told(/Two columns are called/)
  const names = ((await apiOf(site)('GET', '/api/spreadsheets')) as { name: string }[]).map(({ name }) => name)
  assert.ok(!names.includes('twice'), names.join())
  assert.deepEqual(troubles([`400 PUT ${site.url}/api/spreadsheets/`]), [])
})
