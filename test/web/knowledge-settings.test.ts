// Knowledge bases: add and find a text. Settings: no secrets shown, change the password.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { usageTexts } from '../../web/src/components/usage-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { devicesTexts } from '../../web/src/pages/devices/devices-texts.ts'
import { knowledgeTexts } from '../../web/src/pages/knowledge/knowledge-texts.ts'
import { providerFormTexts } from '../../web/src/pages/providers/provider-form-texts.ts'
import { providersTexts } from '../../web/src/pages/providers/providers-texts.ts'
import { settingsTexts } from '../../web/src/pages/settings/settings-texts.ts'
import { authTexts } from '../../web/src/shell/auth-texts.ts'
import { anAgent, startTestApp } from '../app.ts'
import { answersTo, apiOf, assertAccessible, openBrowser, type Site, visit, visitSignedIn } from './browser.ts'

const c = commonTexts.en
const LLM_KEY = 'sk-a-key-of-a-model'
const ACCOUNT = { email: 'ana@example.com', password: 'the first password' }

let browser: Browser
let site: Site
let memberKey: string

before(async () => {
  // Nothing listens on this port, and nothing calls it.
  const model = { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_API_KEY: LLM_KEY, LLM_MODEL: 'none' }
  const app = await startTestApp(model)
  site = { url: await app.app.listen(), key: app.app.firstKey as string }
  memberKey = app.ana.key
  browser = await openBrowser()
  await apiOf(site)('POST', '/api/agents', { ...anAgent, name: 'Order support' })
})

test('add a text to a knowledge base, search it, and link it to an agent', async () => {
  const t = knowledgeTexts.en
  const { page, troubles } = await visitSignedIn(browser, site, { language: 'en' })
  await page.goto('/knowledge')
  await page.getByRole('button', { name: t.newBase }).first().click()
  const form = page.getByRole('dialog', { name: t.newBase })
  await form.getByRole('textbox', { name: c.name, exact: true }).fill('Prices')
  await form.getByRole('switch', { name: t.questions }).uncheck()
  await form.getByRole('button', { name: c.create }).click()
  await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor()
  await page.getByRole('button', { name: t.addText }).click()
  const writing = page.getByRole('dialog', { name: t.addText })
  await writing.getByRole('textbox', { name: t.documentName }).fill('prices.md')
  await writing
    .getByRole('textbox', { name: t.text, exact: true })
    .fill('# Visits\n\nA visit costs 280 reais.\n\n# Parking\n\nParking is free for the first hour.')
  await writing.getByRole('button', { name: c.save }).click()
  const row = page.getByRole('row', { name: /prices\.md/ })
  await row.getByText(t.ready, { exact: true }).waitFor({ timeout: 30_000 })
  await page.getByRole('textbox', { name: t.question }).fill('How much does a visit cost?')
  await page.getByRole('button', { name: t.ask, exact: true }).click()
  await page.getByText('A visit costs 280 reais.').waitFor()
  await assertAccessible(page, 'a base that was asked')

  await page.getByRole('combobox', { name: usageTexts.en.give }).click()
  await page.getByRole('option', { name: 'Order support' }).click()
  await page.getByRole('button', { name: usageTexts.en.link, exact: true }).click()
  await page.getByText(t.given).waitFor()
  await page.getByRole('region', { name: t.use }).getByRole('link', { name: 'Order support' }).waitFor()
  await page.getByRole('button', { name: c.moreActions }).click()
  await page.getByRole('menuitem', { name: t.removeBase }).click()
  const sure = page.getByRole('dialog', { name: t.removeQuestion('Prices') })
  await sure.getByText(usageTexts.en.inUse('Order support')).waitFor()
  await sure.getByRole('button', { name: c.cancel }).click()
  await row.getByRole('button', { name: `${c.remove}: prices.md` }).click()
  await page.getByText(t.noDocuments, { exact: true }).waitFor()
  assert.deepEqual(troubles(), [])
})

test('the settings show no secrets; change the password', async () => {
  const t = settingsTexts.en
  const { page, troubles } = await visit(browser, site.url, { language: 'en' })
  const got = await answersTo(page)
  await page.request.post('/auth/setup', { data: ACCOUNT, headers: { 'sec-fetch-site': 'same-origin' } })
  await page.goto('/settings')
  await page.getByRole('textbox', { name: t.search }).fill('LLM_API_KEY')
  const setting = page.getByRole('listitem').filter({ has: page.getByText('LLM_API_KEY', { exact: true }) })
  await setting.getByText(t.shown.hidden).waitFor()
  const answers = await got()
  assert.ok(answers.includes('LLM_API_KEY') && !answers.includes(LLM_KEY))
  await page.goto('/settings?tab=security')

  const fill = async (current: string, fresh: string, repeat = fresh) => {
    await page.getByRole('textbox', { name: t.current }).fill(current)
    await page.getByRole('textbox', { name: t.fresh, exact: true }).fill(fresh)
    await page.getByRole('textbox', { name: t.repeat }).fill(repeat)
    await page.getByRole('button', { name: t.change }).click()
  }
  await fill(ACCOUNT.password, 'the second password', 'something else')
  await page.getByText(t.differ).waitFor()
  await fill('not the password', 'the second password')
  await page.getByRole('alert').waitFor()
  await fill(ACCOUNT.password, 'the second password')
  await page.getByText(t.changed).waitFor()

  const { page: other } = await visit(browser, site.url, { language: 'en' })
  await other.goto('/settings')
  const signIn = async (password: string) => {
    await other.getByRole('textbox', { name: authTexts.en.email }).fill(ACCOUNT.email)
    await other.getByRole('textbox', { name: authTexts.en.password }).fill(password)
    await other.getByRole('button', { name: authTexts.en.signIn }).click()
  }
  await signIn(ACCOUNT.password)
  await other.getByRole('alert').waitFor()
  await signIn('the second password')
  await other.getByRole('heading', { name: t.title, level: 1 }).waitFor()
  assert.deepEqual(troubles(['/auth/password']), [])
})

test('a member sees only their accounts and sign-in settings', async () => {
  const t = settingsTexts.en
  const { page, troubles } = await visitSignedIn(browser, { ...site, key: memberKey }, { language: 'en' })
  await page.goto('/settings?tab=intelligence')
  await page.getByRole('heading', { name: providersTexts.en.sections.llm.title }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/providers')
  await page.getByRole('button', { name: providerFormTexts.en.addOf.llm }).click()
  await page.getByRole('button', { name: 'Anthropic' }).waitFor()
  assert.equal(await page.getByText('Ollama').count(), 0)
  await page.goto('/settings')
  await page.getByText(t.onlyAdmins).waitFor()
  await page.getByRole('textbox', { name: t.current }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: t.search }).count(), 0)
  await page.goto('/agents/new')
  await page.goto('/devices')
  await page.getByRole('button', { name: devicesTexts.en.make }).first().click()
  await page.getByRole('radio', { name: devicesTexts.en.drivers.embedded.name }).waitFor()
  assert.equal(await page.getByRole('radio', { name: devicesTexts.en.drivers.whatsapp.name }).count(), 0)
  assert.deepEqual(troubles(), [])
})
