// A campaign on the page from a file to results: the wizard, a contact in doubt, pause, download and cancel.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { newId } from '../../src/base/ids.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { rulesTexts } from '../../web/src/pages/calling-rules/rules-texts.ts'
import { campaignStateTexts } from '../../web/src/pages/campaigns/campaign-state-texts.ts'
import { campaignTexts } from '../../web/src/pages/campaigns/campaign-texts.ts'
import { campaignsTexts } from '../../web/src/pages/campaigns/campaigns-texts.ts'
import { setupTexts } from '../../web/src/pages/campaigns/setup-texts.ts'
import { wizardTexts } from '../../web/src/pages/campaigns/wizard-texts.ts'
import { anAgent, startTestApp, type TestApp } from '../app.ts'
import { until } from '../until.ts'
import { addressOf } from '../web-caller.ts'
import { apiOf, assertAccessible, type Language, type Look, openBrowser, type Site, visitSignedIn } from './browser.ts'

export type CampaignSite = { app: TestApp; site: Site; browser: Browser }

const greeting = 'Olá, {{nome}}. Sua consulta na {{unidade}} é {{consulta}}.'

/** A site with an agent that may place calls, and a trunk for it. */
export async function campaignSite(): Promise<CampaignSite> {
  const app = await startTestApp()
  const site = { url: await addressOf(app), key: app.app.firstKey as string }
  const ask = apiOf(site)
  const agent = await ask('POST', '/api/agents', {
    ...anAgent,
    name: 'Confirmações',
    initialSpeech: greeting,
  })
  const trunk = await ask('POST', '/api/trunks', { name: 'Operadora', host: '127.0.0.1', authMode: 'ip' })
  await ask('POST', `/api/agents/${agent.id}/link-trunk`, { trunkId: trunk.id, trunkType: 'outbound' })
  return { app, site, browser: await openBrowser() }
}

const list = [
  'Nome;Telefone celular;consulta',
  'Beatriz;(11) 98765-4321;quinta',
  'Carlos;11 98765-4322;sexta',
  'Beatriz de novo;+55 11 98765-4321;quinta',
  'Errado;123;quinta',
].join('\r\n')
export const file = { name: 'pacientes.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }

/** A working day on which nobody is called while the test runs, in any time zone. */
function quietDay(): 1 | 2 | 3 | 4 | 5 {
  const today = ((new Date().getUTCDay() + 6) % 7) + 1
  const distance = (day: number) => Math.min((day - today + 7) % 7, (today - day + 7) % 7)
  return ([1, 2, 3, 4, 5] as const).find((day) => distance(day) >= 2) ?? 3
}

export const assertFits = async (page: Page, what: string) => {
  // A notification that slides in is off-screen for a moment.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await until(`${what}: no wider than the screen`, async () => (await overflow()) <= 1)
  await assertAccessible(page, what)
}
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first().waitFor()

async function chooseList(page: Page, language: Language, name: string): Promise<void> {
  const t = wizardTexts[language]
  await page.goto('/campaigns')
  await page.getByRole('link', { name: campaignsTexts[language].make }).click()
  await heading(page, t.newTitle)
  await page.getByRole('button', { name: t.next }).click()
  await page.getByText(t.nameNeeded).waitFor()
  await page.getByRole('textbox', { name: t.name }).fill(name)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: t.choose }).click()
  await (await chooser).setFiles(file)
  await page.getByText(file.name).waitFor()
  await assertFits(page, 'the list')
  await page.getByRole('button', { name: t.next }).click()
  await heading(page, t.columnsTitle)
  await page.getByText('{{consulta}}').waitFor()
  await page.getByText('{{Telefone_celular}}').waitFor() // the name that the call uses
  assert.equal(await page.getByRole('combobox', { name: t.phoneColumn }).inputValue(), 'Telefone celular')
  await assertFits(page, 'the columns')
  await page.getByRole('button', { name: t.next }).click()
}

async function chooseAgent(page: Page, language: Language): Promise<void> {
  const t = wizardTexts[language]
  await heading(page, t.agentTitle)
  await page.getByRole('button', { name: t.next }).click()
  await page.getByText(t.agentNeeded).waitFor()
  await page.getByRole('combobox', { name: commonTexts[language].agent }).click()
  await page.getByRole('option', { name: 'Confirmações' }).click()
  await page.getByText(t.missing('{{unidade}}', true)).waitFor()
  await page.getByText(t.namedOtherwise('{{nome}}', '{{Nome}}')).waitFor()
  await page.getByRole('button', { name: t.renameTo('{{Nome}}') }).click()
  await page.getByText(t.renamed('Confirmações')).waitFor()
  await page.getByText(t.namedOtherwise('{{nome}}', '{{Nome}}')).waitFor({ state: 'detached' })
  const brazil = new Intl.DisplayNames([language], { type: 'region' }).of('BR') ?? ''
  await page.getByRole('combobox', { name: t.country }).fill(brazil)
  await page.getByRole('option', { name: brazil, exact: true }).click()
  await assertFits(page, 'the agent')
  await page.getByRole('button', { name: t.next }).click()
  await page.waitForURL(/\/campaigns\/cmp_\w+\/edit\?step=rules&import=\w+$/)
}

/** Checked right after the upload, before anything else in the next step. */
async function readResult(page: Page, language: Language): Promise<void> {
  const [t, p, s] = [wizardTexts[language], campaignTexts[language], campaignStateTexts[language]]
  const result = page.getByRole('dialog', { name: p.resultTitle })
  await result.getByText(p.enteredRows('2', '4', false)).waitFor()
  await result.getByText(p.mergedRows('1', true)).waitFor()
  await result.getByText(p.rejectedRows('1')).waitFor()
  await assertFits(page, 'the result of the list')
  const coming = page.waitForEvent('download')
  await result.getByRole('button', { name: p.downloadRejected }).click()
  const rejected = readFileSync(await (await coming).path(), 'utf8')
  for (const part of [p.row, p.reason, 'Telefone celular', s.rowReasons.number_not_callable, 'Errado'])
    assert.ok(rejected.includes(part), `${part} in ${rejected}`)
  assert.match(rejected, /^5[;,]/m, 'the row as a spreadsheet program numbers it')
  assert.ok(!rejected.includes('Carlos'), 'only rows with a problem')
  await result.getByRole('button', { name: p.report }).click()
  const report = page.getByRole('dialog', { name: p.reportTitle })
  await report.getByRole('cell', { name: s.rowReasons.number_not_callable }).waitFor()
  await report.getByText('Errado · 123 · quinta').waitFor()
  await assertFits(page, 'the report')
  await page.keyboard.press('Escape')
  await report.waitFor({ state: 'detached' })
  await result.getByRole('button', { name: t.goOn }).click()
  await result.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t.steps.list }).click()
  await page.getByText(p.enteredRows('2', '4', false)).waitFor()
  await page.getByRole('button', { name: t.steps.rules }).click()
}

async function chooseTimes(page: Page, language: Language): Promise<void> {
  const [t, u] = [wizardTexts[language], setupTexts[language]]
  await page.getByRole('radio', { name: t.windowsOwn }).click()
  const window = page.getByRole('group', { name: u.window(1) })
  const kept = quietDay()
  for (const day of [1, 2, 3, 4, 5] as const)
    if (day !== kept) await window.getByText(u.days[day], { exact: true }).click()
  await page.getByText(rulesTexts[language].disclaimer).waitFor()
  assert.equal(await page.getByText(`${rulesTexts[language].source}:`).count(), 0, 'the sources are folded')
  await page.getByRole('button', { name: t.rulesAll }).click()
  await page.getByText(`${rulesTexts[language].source}:`).first().waitFor()
  await assertFits(page, 'the rules')
  await page.getByRole('button', { name: t.next }).click()
}

async function startIt(page: Page, language: Language): Promise<string> {
  const [t, s] = [wizardTexts[language], campaignStateTexts[language]]
  await heading(page, t.previewTitle)
  const sample = page.getByRole('region', { name: t.sample })
  await sample.getByText('Carlos · sexta').waitFor()
  const rejected = page.getByText(t.rejected, { exact: true }).locator('..')
  await rejected.getByText('1', { exact: true }).waitFor()
  await sample.getByText('+55 11 98765-4321').waitFor()
  assert.equal(await sample.getByText(t.results.later, { exact: true }).count(), 2)
  await sample.getByText('Beatriz').first().waitFor()
  await assertFits(page, 'the preview')
  await page.getByRole('button', { name: t.start }).click()
  const sure = page.getByRole('dialog', { name: t.startQuestion })
  await sure.getByText(t.startText(t.contactCount('2', false), setupTexts[language].ownNumber)).waitFor()
  await sure.getByRole('button', { name: t.start }).click()
  await page.getByText(s.states.running, { exact: true }).waitFor()
  return /cmp_\w+/.exec(page.url())?.[0] ?? ''
}

/** As after a crash: this contact may have been called. */
async function putInDoubt({ database: { db } }: TestApp, campaignId: string): Promise<void> {
  const contact = await db
    .selectFrom('campaignContacts')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('phoneNumber', '=', '+5511987654321')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('campaignContacts')
    .set({ status: 'in_doubt', dueAt: null, tries: 1 })
    .where('id', '=', contact.id)
    .execute()
  const at = new Date().toISOString()
  const { userId, id: contactId, phoneNumber, numberHash } = contact
  await db
    .insertInto('campaignAttempts')
    .values({
      id: newId('cat'),
      userId,
      campaignId,
      contactId,
      phoneNumber,
      numberHash,
      tryNumber: 1,
      status: 'in_doubt',
      outcome: null,
      detail: null,
      callerId: null,
      callId: null,
      decision: '{}',
      nodeId: null,
      leaseUntil: at,
      talkSeconds: null,
      createdAt: at,
      dialedAt: at,
      endedAt: null,
    })
    .execute()
}

async function download(page: Page, language: Language, format: 'asCsv' | 'asXlsx'): Promise<Buffer> {
  const t = campaignTexts[language]
  await page.getByRole('button', { name: t.download }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: t[format] }).click()
  return readFileSync(await (await coming).path())
}

export async function wizardToResults(
  { app, site, browser }: CampaignSite,
  look: Look & { language: Language },
): Promise<void> {
  const { language } = look
  const [t, s, l] = [campaignTexts[language], campaignStateTexts[language], campaignsTexts[language]]
  const [agent] = (await apiOf(site)('GET', '/api/agents')) as { id: string }[]
  await apiOf(site)('PATCH', `/api/agents/${agent?.id}`, { initialSpeech: greeting })
  const { page, troubles } = await visitSignedIn(browser, site, look)
  const name = `Consultas ${language}`
  await chooseList(page, language, name)
  await chooseAgent(page, language)
  await readResult(page, language)
  await chooseTimes(page, language)
  const id = await startIt(page, language)

  await assertFits(page, 'a running campaign')
  await page.getByRole('button', { name: t.pause }).click()
  await page.getByText(t.stateWith(s.states.paused, s.reasons.user)).waitFor()
  await putInDoubt(app, id)
  await page.reload()
  const doubt = page.getByRole('region', { name: t.inDoubt })
  await doubt.getByText('Beatriz').waitFor()
  await assertFits(page, 'a contact in doubt')
  await doubt.getByRole('button', { name: t.forContact(t.reached, '+55 11 98765-4321') }).click()
  await doubt.waitFor({ state: 'detached' })

  // The contact opens next to the list, with its attempt.
  await page.getByText('+55 11 98765-4321').first().click()
  const contact = page.getByRole('dialog', { name: '+55 11 98765-4321' })
  await contact.getByText(t.attempt(1)).waitFor()
  await assertFits(page, 'a contact')
  await page.keyboard.press('Escape')
  await contact.waitFor({ state: 'detached' })

  const csv = (await download(page, language, 'asCsv')).toString()
  for (const part of ['Nome', 'Beatriz', 'Carlos', 'Errado', '123']) assert.ok(csv.includes(part), part)
  assert.equal((await download(page, language, 'asXlsx')).subarray(0, 2).toString(), 'PK')

  await page.getByRole('button', { name: t.resume }).click()
  await page.getByText(s.states.running, { exact: true }).waitFor()
  await page.getByRole('button', { name: t.cancel }).click()
  const sure = page.getByRole('dialog', { name: t.cancelQuestion })
  await sure.getByRole('button', { name: t.cancel }).click()
  await page.getByText(t.stateWith(s.states.canceled, s.reasons.user)).waitFor()
  await page.goto('/campaigns')
  await page.getByText(name).waitFor()
  await assertFits(page, l.title)
  assert.deepEqual(troubles(), [])
}
