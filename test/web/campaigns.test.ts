// Campaigns on the page: from a file to results in one look (campaigns-full.test.ts has the others), and the calling
// rules.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Route } from 'playwright-core'
import { uploadTexts } from '../../web/src/components/upload-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { rulesTexts } from '../../web/src/pages/calling-rules/rules-texts.ts'
import { campaignTexts } from '../../web/src/pages/campaigns/campaign-texts.ts'
import { wizardTexts } from '../../web/src/pages/campaigns/wizard-texts.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { until } from '../until.ts'
import { apiOf, visitSignedIn } from './browser.ts'
import { assertFits, type CampaignSite, campaignSite, file, heading, wizardToResults } from './campaign-wizard.ts'

let at: CampaignSite

before(async () => {
  at = await campaignSite()
})

test('wizard from a file to results in es, on a phone', () => wizardToResults(at, { language: 'es', screen: 'phone' }))

test('a list of contacts whose upload is cut off while another page is shown is sent again', async () => {
  const [t, u, w, menu] = [campaignTexts.en, uploadTexts.en, wizardTexts.en, navigationTexts.en]
  const { browser, site } = at
  const [agent] = await apiOf(site)('GET', '/api/agents')
  const name = 'Cut off'
  const { id } = await apiOf(site)('POST', '/api/campaigns', { name, agentId: agent.id, defaultCountry: 'BR' })
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'en' })
  const sending = Promise.withResolvers<Route>()
  await page.route('**/contacts*', (route) => sending.resolve(route), { times: 1 })
  await page.goto(`/campaigns/${id}/edit?step=list`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: w.choose }).click()
  await (await chooser).setFiles(file)
  await page.getByRole('button', { name: w.importNow }).click()
  const request = await sending.promise
  await page.getByRole('status', { name }).getByText(u.sending(file.name)).waitFor()
  await page.getByRole('link', { name: menu.tools, exact: true }).click()
  await page.getByRole('heading', { name: menu.tools, level: 1 }).waitFor()
  const asks = await page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
  assert.equal(asks, true)
  await request.abort()
  await page.getByRole('link', { name: menu.campaigns, exact: true }).click()
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('button', { name: `${u.sendAgain}: ${file.name}` }).click()
  await page.getByText(t.enteredRows('2', '4', false)).waitFor()
  assert.equal(await page.getByRole('status', { name }).count(), 0)
  await assertFits(page, 'a campaign with its list')
  assert.deepEqual(troubles(), [])
})

test('calling rules: read, ask, copy, edit, delete', async () => {
  const t = rulesTexts.en
  const c = commonTexts.en
  const { browser, site } = at
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'en' })
  await page.goto('/calling-rules')
  await page.getByText(t.disclaimer).waitFor()
  await page.getByRole('textbox', { name: t.askNumber }).fill('+55 11 98765-4321')
  await page.getByRole('button', { name: t.askGo }).click()
  await page.getByRole('status').filter({ hasText: 'Brasilia' }).waitFor()
  await assertFits(page, t.title)
  await page.getByRole('link', { name: t.open }).first().click()
  await page.getByText(`${t.source}:`).first().waitFor()
  await assertFits(page, 'a rule pack')
  await page.getByRole('button', { name: t.copy }).click()
  await page.waitForURL(/\/calling-rules\/crl_\w+$/)
  await page.getByRole('textbox', { name: t.rename }).fill('Our clinic')
  await page.getByRole('textbox', { name: t.spacingMinutes }).fill('90')
  await page.getByLabel(t.dateInput).fill('2026-12-24')
  await page.getByRole('button', { name: t.addDate }).click()
  await page.getByRole('button', { name: t.removeDate('Dec 24, 2026') }).waitFor()
  const week = page.getByRole('group', { name: t.frequency }).getByLabel(t.within, { exact: true }).last()
  assert.equal(await week.inputValue(), '7', 'a week is seven days, not 168 hours')
  await page.getByRole('combobox', { name: t.addRegion }).click()
  await page.getByRole('option', { name: 'São Paulo', exact: true }).click()
  await page.getByRole('group', { name: t.ruleWindows('São Paulo') }).waitFor()
  await page.getByRole('switch', { name: t.requireDisclosure }).click()
  await page.getByRole('switch', { name: t.stopAtThreshold }).click()
  await assertFits(page, 'a rule pack that is edited')
  await page.getByRole('button', { name: c.save, exact: true }).click()
  await heading(page, 'Our clinic')
  const id = /crl_\w+/.exec(page.url())?.[0]
  const stored = (await apiOf(site)('GET', `/api/calling-rules/${id}`)) as {
    pack: {
      spacing: { minutes: number }
      holidays: { dates: string[] }
      windows: { regions: string[] }[]
      disclosure: { isRequired: boolean }
      monthly: { stops: boolean }
    }
  }
  assert.equal(stored.pack.spacing.minutes, 90)
  assert.deepEqual(stored.pack.holidays.dates, ['2026-12-24'])
  assert.deepEqual(stored.pack.windows.at(-1)?.regions, ['BR-SP'])
  assert.deepEqual([stored.pack.disclosure.isRequired, stored.pack.monthly.stops], [false, true])
  await page.getByRole('button', { name: c.moreActions }).click()
  await page.getByRole('menuitem', { name: c.remove }).click()
  const sure = page.getByRole('dialog', { name: t.removeQuestion('Our clinic') })
  await sure.getByRole('button', { name: c.remove }).click()
  await page.waitForURL(/\/calling-rules$/)
  await until('it is gone', async () => (await page.getByText('Our clinic').count()) === 0)
  assert.deepEqual(troubles(), [])
})

test('names and sources of the rules are in the language of the page', async () => {
  const { browser, site } = at
  const names = { pt: ['Brasil, estrito', 'Internacional'], en: ['Brazil, strict', 'International'] } as const
  const sources = { pt: /Padrão do Ramal: o horário comum/, en: /Ramal default: the hours/ } as const
  for (const language of ['pt', 'en'] as const) {
    const t = rulesTexts[language]
    const other = language === 'pt' ? 'en' : 'pt'
    const { page, troubles } = await visitSignedIn(browser, site, { language })
    await page.goto('/calling-rules')
    for (const name of names[language]) await heading(page, name)
    await page.getByRole('link', { name: names[language][0] }).click()
    await heading(page, names[language][0])
    await page.getByText(sources[language]).waitFor()
    assert.equal(await page.getByText(sources[other]).count(), 0)
    // The day on which the law was consulted, which is not the date of the law.
    const read = new Date('2026-11-16T12:00:00Z').toLocaleDateString(language === 'pt' ? 'pt-BR' : 'en-US', {
      dateStyle: 'medium',
    })
    await page.getByText(t.consulted(read)).first().waitFor()
    await page.getByText(/Rio de Janeiro: /).waitFor()
    // A copy keeps its content in every language, and marks what its owner changes.
    await page.getByRole('button', { name: t.copy }).click()
    await page.waitForURL(/\/calling-rules\/crl_\w+$/)
    await page.getByText(sources[language]).waitFor()
    assert.deepEqual(troubles(), [])
  }
})
