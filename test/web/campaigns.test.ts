// Campaigns on the page: from a file to results in one look (campaigns-full.test.ts has the others), and the calling rules.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { rulesTexts } from '../../web/src/pages/calling-rules/rules-texts.ts'
import { until } from '../until.ts'
import { apiOf, visitSignedIn } from './browser.ts'
import { assertFits, type CampaignSite, campaignSite, heading, wizardToResults } from './campaign-wizard.ts'

let at: CampaignSite

before(async () => {
  at = await campaignSite()
})

test('wizard from a file to results in es, on a phone', () => wizardToResults(at, { language: 'es', screen: 'phone' }))

test('calling rules: read, ask, copy, edit, delete', async () => {
  const t = rulesTexts.en
  const c = commonTexts.en
  const { browser, site } = at
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'en' })
  await page.goto('/calling-rules')
  await page.getByText(t.disclaimer).waitFor()
  await page.getByRole('textbox', { name: t.askNumber }).fill('+55 11 98765-4321')
  await page.getByRole('button', { name: t.askGo }).click()
  await page.getByRole('status').filter({ hasText: 'Sao Paulo' }).waitFor()
  await assertFits(page, t.title)
  await page.getByRole('link', { name: t.open }).first().click()
  await page.getByText(`${t.source}:`).first().waitFor()
  await assertFits(page, 'a rule pack')
  await page.getByRole('button', { name: t.copy }).click()
  await page.waitForURL(/\/calling-rules\/crl_\w+$/)
  await page.getByRole('textbox', { name: t.rename }).fill('Our clinic')
  await page.getByRole('textbox', { name: t.spacingMinutes }).fill('90')
  await page.getByRole('textbox', { name: t.datesInput }).fill('24/12/2026')
  await page.getByText(t.datesWrong).waitFor()
  await page.getByRole('textbox', { name: t.datesInput }).fill('2026-12-24')
  await assertFits(page, 'a rule pack that is edited')
  await page.getByRole('button', { name: c.save, exact: true }).click()
  await heading(page, 'Our clinic')
  const id = /crl_\w+/.exec(page.url())?.[0]
  const stored = (await apiOf(site)('GET', `/api/calling-rules/${id}`)) as {
    pack: { spacing: { minutes: number }; holidays: { dates: string[] } }
  }
  assert.equal(stored.pack.spacing.minutes, 90)
  assert.deepEqual(stored.pack.holidays.dates, ['2026-12-24'])
  await page.getByRole('button', { name: c.remove }).click()
  const sure = page.getByRole('dialog', { name: t.removeQuestion('Our clinic') })
  await sure.getByRole('button', { name: c.remove }).click()
  await page.waitForURL(/\/calling-rules$/)
  await until('it is gone', async () => (await page.getByText('Our clinic').count()) === 0)
  assert.deepEqual(troubles(), [])
})
