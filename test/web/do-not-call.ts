// The do-not-call page: a number is added, found, checked and allowed again; a list is imported, edited and removed.
import assert from 'node:assert/strict'
import type { Browser, Page, Route } from 'playwright-core'
import { removalTexts } from '../../web/src/components/removal-texts.ts'
import { uploadTexts } from '../../web/src/components/upload-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { suppressionsTexts } from '../../web/src/pages/suppressions/suppressions-texts.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { startTestApp } from '../app.ts'
import { until } from '../until.ts'
import { addressOf } from '../web-caller.ts'
import { apiOf, assertAccessible, type Language, type Look, type Site, visitSignedIn } from './browser.ts'

const mobile = { typed: '+55 11 98765-4321', stored: '+5511987654321', shown: '+55 11 98765-4321' }
const file = 'nome;telefone\nA;(11) 98765-0001\nB;11987650002\nC;11987650002\nD;123\nE;\n'

async function newSite(): Promise<Site> {
  const app = await startTestApp()
  return { url: await addressOf(app), key: app.app.firstKey as string }
}
const fits = (page: Page) =>
  page
    .evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    .then((px) => assert.ok(px <= 1, `${px}`))
type Stored = { phoneNumber: string; note: string | null }[]

export async function numberAndList(browser: Browser, look: Look & { language: Language }): Promise<void> {
  const [t, c, r] = [suppressionsTexts[look.language], commonTexts[look.language], removalTexts[look.language]]
  const site = await newSite()
  const stored = async (): Promise<Stored> => apiOf(site)('GET', '/api/suppressions?listId=own')
  const { page, troubles } = await visitSignedIn(browser, site, look)
  await page.goto('/suppressions')
  await page.getByText(t.none).waitFor()
  await assertAccessible(page, 'an empty list')

  await page.getByRole('button', { name: t.add }).click()
  const form = page.getByRole('dialog', { name: t.add })
  await form.getByRole('textbox', { name: t.number }).fill(mobile.typed)
  await form.getByRole('textbox', { name: t.note }).fill('Pediu por e-mail')
  await assertAccessible(page, 'the form')
  await form.getByRole('button', { name: t.add }).click()
  await page.getByText(t.added).waitFor()
  await page.getByText('Pediu por e-mail').first().waitFor()
  assert.deepEqual(
    (await stored()).map(({ phoneNumber, note }) => [phoneNumber, note]),
    [[mobile.stored, 'Pediu por e-mail']],
  )
  await fits(page)
  await assertAccessible(page, 'a list with a number')

  await page.getByRole('button', { name: t.checkTitle }).click()
  const check = page.getByRole('dialog', { name: t.checkTitle })
  await check.getByRole('textbox', { name: t.number }).fill(mobile.typed)
  await check.getByRole('button', { name: t.check, exact: true }).click()
  await check.getByText(t.isHeld(mobile.shown)).waitFor()
  await check.getByText(t.onOwn(t.reasons.manual)).waitFor()
  await assertAccessible(page, 'a checked number')
  await page.keyboard.press('Escape')

  const search = page.getByRole('searchbox', { name: t.searchLabel })
  await search.fill('(11) 98765-4321')
  await page.getByText('Pediu por e-mail').first().waitFor()
  await search.fill('nada')
  await until('nothing is found', async () => (await page.getByText('Pediu por e-mail').count()) === 0)
  await search.fill('')
  await page.getByText('Pediu por e-mail').first().waitFor()

  await page.getByRole('button', { name: r.moreOf(mobile.shown) }).click()
  await page.getByRole('menuitem', { name: t.allow }).click()
  await page.getByRole('button', { name: r.undo }).click()
  await page.getByText('Pediu por e-mail').first().waitFor()
  await page.getByRole('button', { name: r.moreOf(mobile.shown) }).click()
  await page.getByRole('menuitem', { name: t.allow }).click()
  await page.goto('/suppressions/lists') // leaving the page sends the request at once
  await until('it is allowed again', async () => (await stored()).length === 0)

  await importList(page, look.language)
  await page.getByRole('link', { name: 'Não Me Ligue' }).click()
  await page.getByRole('heading', { name: t.numbersOf('Não Me Ligue'), level: 1 }).waitFor()
  await page.getByText('+55 11 98765-0001').first().waitFor()
  await fits(page)
  await assertAccessible(page, 'the numbers of a list')
  await page.getByRole('link', { name: t.backToLists }).click()

  await page.getByRole('button', { name: `${c.actions}: Não Me Ligue` }).click()
  await page.getByRole('menuitem', { name: c.edit }).click()
  const editing = page.getByRole('dialog', { name: t.editList })
  await editing.getByLabel(t.effective).fill('2030-01-02')
  await editing.getByRole('button', { name: c.save }).click()
  await page.getByText(t.saved).waitFor()
  await page.getByText(/2030/).first().waitFor()
  const [list] = await apiOf(site)('GET', '/api/suppression-lists')
  assert.equal(list.effectiveAt, '2030-01-02T03:00:00.000Z')

  await page.getByRole('button', { name: `${c.actions}: Não Me Ligue` }).click()
  await page.getByRole('menuitem', { name: c.remove }).click()
  await page.getByText(t.noLists).waitFor()
  await page.goto('/suppressions')
  await until('the list is gone', async () => (await apiOf(site)('GET', '/api/suppression-lists')).length === 0)
  assert.deepEqual(troubles(), [])
}

async function importList(page: Page, language: Language): Promise<void> {
  const t = suppressionsTexts[language]
  await page.getByText(t.noLists).waitFor()
  await assertAccessible(page, 'no lists')
  await page.getByRole('button', { name: t.newList }).click()
  const form = page.getByRole('dialog', { name: t.newList })
  await form.getByRole('button', { name: t.import }).click()
  await form.getByText(t.nameNeeded).waitFor()
  await form.getByText(t.fileNeeded).waitFor()
  await form.getByRole('textbox', { name: t.listName }).fill('Não Me Ligue')
  const csv = { name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }
  await form.locator('input[type=file]').setInputFiles(csv)
  await form.getByLabel(t.country).first().click()
  await page.getByRole('option', { name: /Brasil|Brazil/ }).click()
  await assertAccessible(page, 'the form of a list')
  await form.getByRole('button', { name: t.import }).click()
  const result = page.getByRole('status', { name: 'Não Me Ligue' })
  for (const [key, count] of [
    ['rows', '5'],
    ['added', '2'],
    ['duplicates', '1'],
    ['withoutNumber', '1'],
    ['invalid', '1'],
  ] as const)
    await result.getByRole('row', { name: `${t.result[key]} ${count}` }).waitFor()
  await assertAccessible(page, 'the result of an import')
  await result.getByRole('button', { name: uploadTexts[language].dismiss }).click()
  await page.getByText(t.holds, { exact: true }).first().waitFor()
  await fits(page)
  await assertAccessible(page, 'lists')
}

/**
 * The upload breaks off while another page is shown: that page reports it, and the list stays, marked as incomplete.
 */
export async function interruptedUpload(browser: Browser, look: Look & { language: Language }): Promise<void> {
  const [t, u] = [suppressionsTexts[look.language], uploadTexts[look.language]]
  const site = await newSite()
  const lists = () => apiOf(site)('GET', '/api/suppression-lists')
  const asksBeforeLeaving = (page: Page) =>
    page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
  const { page, troubles } = await visitSignedIn(browser, site, look)
  await page.goto('/suppressions/lists')
  const sending = Promise.withResolvers<Route>()
  await page.route('**/content?*', (route) => sending.resolve(route), { times: 1 })
  await page.getByRole('button', { name: t.newList }).click()
  const form = page.getByRole('dialog', { name: t.newList })
  await form.getByRole('textbox', { name: t.listName }).fill('Procon')
  const csv = { name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }
  await form.locator('input[type=file]').setInputFiles(csv)
  await form.getByLabel(t.country).first().click()
  await page.getByRole('option', { name: /Brasil|Brazil/ }).click()
  assert.equal(await asksBeforeLeaving(page), false, 'nothing is sent yet')
  await form.getByRole('button', { name: t.import }).click()
  const request = await sending.promise

  const card = page.getByRole('status', { name: 'Procon' })
  await card.getByText(u.sending('lista.csv')).waitFor()
  await page.getByText(t.isSending, { exact: true }).first().waitFor()
  await assertAccessible(page, 'an upload under way')
  await page.getByRole('tab', { name: t.ownTab }).click()
  await card.getByText(u.keepTab).waitFor()
  const menu = navigationTexts[look.language]
  await page.getByRole('link', { name: menu.tools, exact: true }).click()
  await page.getByRole('heading', { name: menu.tools, level: 1 }).waitFor()
  assert.equal(await asksBeforeLeaving(page), true)
  await request.abort()
  await page.getByText(t.interrupted('Procon')).waitFor()
  assert.equal(await asksBeforeLeaving(page), false)
  assert.deepEqual(
    (await lists()).map(({ name, entryCount }: { name: string; entryCount: number }) => [name, entryCount]),
    [['Procon', 0]],
  )

  await page.getByRole('link', { name: t.title, exact: true }).click()
  await page.getByRole('alert').filter({ hasText: t.cutOff }).waitFor()
  await page.getByRole('tab', { name: t.listsTab }).click()
  await page.getByText(t.isEmpty).first().waitFor()
  await fits(page)
  await assertAccessible(page, 'an incomplete list')

  await page.getByRole('button', { name: `${u.sendAgain}: lista.csv` }).click()
  await card.getByRole('row', { name: `${t.result.added} 2` }).waitFor()
  await page.getByText(t.holds, { exact: true }).first().waitFor()
  await page.getByRole('link', { name: menu.tools, exact: true }).click()
  await page.getByRole('heading', { name: menu.tools, level: 1 }).waitFor()
  await page.getByRole('link', { name: t.title, exact: true }).click()
  await card.getByRole('button', { name: u.dismiss }).click()
  await until('the result is dismissed', async () => (await card.count()) === 0)

  await page.getByRole('tab', { name: t.listsTab }).click()
  await page.getByRole('button', { name: `${commonTexts[look.language].actions}: Procon` }).click()
  await page.getByRole('menuitem', { name: t.upload }).click()
  await page.getByRole('dialog', { name: t.upload }).locator('input[type=file]').setInputFiles(csv)
  await page.getByRole('button', { name: t.import, exact: true }).click()
  await card.getByRole('row', { name: `${t.result.added} 2` }).waitFor()
  assert.deepEqual(
    (await lists()).map(({ entryCount }: { entryCount: number }) => entryCount),
    [2],
  )
  assert.deepEqual(troubles(), [])
}
