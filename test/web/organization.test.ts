// An organization in real browsers: people join it, see what their role permits, switch, leave and are removed.
// @run rest
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { publicAddressTexts } from '../../web/src/components/public-address-texts.ts'
import { agentsTexts } from '../../web/src/pages/agents/agents-texts.ts'
import { callTexts } from '../../web/src/pages/calls/call-texts.ts'
import { organizationTexts } from '../../web/src/pages/organization/organization-texts.ts'
import { usersTexts } from '../../web/src/pages/users/users-texts.ts'
import { authTexts } from '../../web/src/shell/auth-texts.ts'
import { inviteTexts } from '../../web/src/shell/invite-texts.ts'
import { navigationTexts } from '../../web/src/shell/navigation-texts.ts'
import { notPermittedTexts } from '../../web/src/shell/not-permitted-texts.ts'
import { apiOf, assertAccessible, openBrowser, type Visitor, visit, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const CLINIC = 'Clínica Vida'
const PASSWORD = 'correct horse battery'
const AGENT = 'Reservas La Plaza'
const t = organizationTexts.pt
const [nav, denied, invite, auth] = [navigationTexts.en, notPermittedTexts.en, inviteTexts.en, authTexts.en]

let demo: Demo
let browser: Browser
let owner: Visitor

before(async () => {
  demo = await startDemo({ EMBEDDED_VOICE: 'off' })
  browser = await openBrowser()
  owner = await visitSignedIn(browser, demo, { language: 'pt' })
})

const fitsWidth = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
const menuLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const switcher = (page: Page, name: string) =>
  page.getByRole('button', { name: nav.organizationSwitch(name) }).filter({ visible: true })

/** Invites somebody on the page, and returns the one-time link. */
async function inviteLink(email: string, role: keyof typeof t.roles): Promise<string> {
  const { page } = owner
  await page.goto('/organization')
  await page.getByRole('button', { name: publicAddressTexts.pt.anyway }).click()
  await page.getByRole('button', { name: t.invite }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(t.email).fill(email)
  await form.getByRole('radio', { name: t.roles[role] }).check()
  await form.getByRole('button', { name: t.create }).click()
  const link = (await page.locator('[data-secret]').textContent()) ?? ''
  await page.getByRole('button', { name: usersTexts.pt.linkDone }).click()
  await page.getByRole('button', { name: usersTexts.pt.renewNamed(email) }).waitFor()
  return link
}

/** A person with an organization of their own. */
async function newPerson(email: string, name: string): Promise<void> {
  const { path } = await apiOf(demo)('POST', '/api/invitations', { email, name, role: 'member' })
  const guest = await visit(browser, demo.url)
  const token = path.split('#')[1]
  const answer = await guest.page.request.post('/auth/invitation/accept', { data: { token, password: PASSWORD } })
  assert.equal(answer.status(), 200)
  await guest.context.close()
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: auth.email }).fill(email)
  await page.getByRole('textbox', { name: auth.password }).fill(PASSWORD)
  await page.getByRole('button', { name: auth.signIn }).click()
}

test('an owner renames the organization, and a new person joins it as an attendant', async () => {
  const { page } = owner
  await page.goto('/organization')
  await page.getByLabel(t.name).fill(CLINIC)
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByTitle(navigationTexts.pt.organizationNow(CLINIC)).filter({ visible: true }).waitFor()
  // The only owner stays, and the role says why a switch cannot be moved.
  await page.getByRole('button', { name: t.leave }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.leave }).click()
  await page.getByText('A organização precisa de um proprietário').waitFor()
  const link = await inviteLink('bia@example.com', 'attendant')
  await assertAccessible(page, 'organization')

  const bia = await visit(browser, demo.url, { language: 'en', screen: 'phone' })
  await bia.page.goto(link)
  await bia.page.getByRole('heading', { name: invite.memberTitle(CLINIC) }).waitFor()
  await assertAccessible(bia.page, 'invitation to an organization')
  await bia.page.getByLabel(auth.password).first().fill(PASSWORD)
  await bia.page.getByLabel(auth.repeat).fill(PASSWORD)
  await bia.page.getByRole('button', { name: invite.join }).click()
  await bia.page.getByRole('button', { name: nav.menu }).click()
  await menuLink(bia.page, nav.calls).waitFor()
  await bia.page.getByTitle(nav.organizationNow(CLINIC)).filter({ visible: true }).waitFor()
  for (const hidden of [nav.agents, nav.keys, nav.providers, nav.campaigns, nav.users])
    assert.equal(await menuLink(bia.page, hidden).count(), 0, hidden)
  for (const path of ['/', '/live', '/callbacks', '/suppressions', '/conversations', `/calls/${demo.ids.call}`]) {
    await bia.page.goto(path)
    await bia.page.locator('main h1').waitFor()
    await bia.page.waitForFunction(() => !document.querySelector('main .mantine-Loader-root'))
    assert.ok(await fitsWidth(bia.page), path)
  }
  await bia.page.getByText('Nove horas está ótimo.').waitFor()
  await bia.page.getByText(callTexts.en.recordingForOthers).waitFor()
  await bia.page.goto('/agents')
  await bia.page.getByText(denied.notPermittedText).waitFor()
  assert.deepEqual(bia.troubles(), [])

  // Listening to recordings is a permission of its own; the open page learns of it by itself.
  await bia.page.goto(`/calls/${demo.ids.call}`)
  await bia.page.getByText(callTexts.en.recordingForOthers).waitFor()
  await page.reload()
  await page.getByRole('switch', { name: t.ofMember(t.mayListen, 'bia') }).click({ force: true })
  await bia.page.getByRole('region', { name: callTexts.en.recording }).waitFor()

  // Removed while the page is open: nothing of the organization stays on it.
  await page.getByRole('button', { name: t.removeNamed('bia') }).click()
  await page.getByRole('dialog').getByRole('button', { name: t.remove }).click()
  await bia.page.getByRole('heading', { name: denied.noOrganization }).first().waitFor()
  assert.deepEqual(bia.troubles(['/api/']), [])
  assert.deepEqual(owner.troubles(['/leave']), [])
  await bia.context.close()
})

test('a known person joins with one click, switches, keeps an organization per tab, and leaves', async () => {
  await newPerson('caio@example.com', 'Caio')
  const link = await inviteLink('caio@example.com', 'viewer')
  const caio = await visit(browser, demo.url, { language: 'en' })
  const { page } = caio
  await page.goto(link)
  await page.getByText(invite.memberSignIn('caio@example.com')).waitFor()
  await signIn(page, 'caio@example.com')
  await page.getByRole('button', { name: invite.memberJoin(CLINIC) }).click()
  await switcher(page, CLINIC).waitFor()

  await menuLink(page, nav.agents).click()
  await page.getByText(AGENT).first().waitFor()
  assert.equal(await menuLink(page, agentsTexts.en.newAgent).count(), 0, 'a viewer creates nothing')
  assert.equal(await menuLink(page, nav.keys).count(), 0)
  await page.goto('/agents/new')
  await page.getByText(denied.notPermittedText).waitFor()
  await page.goto('/organization')
  await page.getByRole('table', { name: organizationTexts.en.members }).getByText('caio@example.com').waitFor()
  assert.equal(await page.getByRole('button', { name: organizationTexts.en.invite }).count(), 0)

  // By keyboard, to the person's own organization.
  await switcher(page, CLINIC).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Caio' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('menuitem', { name: 'Caio' }).focus()
  await page.keyboard.press('Enter')
  await switcher(page, 'Caio').waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
  await page.goto('/agents')
  await page.getByText(agentsTexts.en.emptyTitle).waitFor()

  // A second tab begins with the organization used last; from then on each keeps its own.
  const second = await caio.context.newPage()
  await second.goto('/agents')
  await switcher(second, 'Caio').waitFor()
  await second.goto(`/agents?organization=${demo.userId}`)
  await switcher(second, CLINIC).waitFor()
  await second.getByText(AGENT).first().waitFor()
  await page.reload()
  await switcher(page, 'Caio').waitFor()
  await page.getByText(agentsTexts.en.emptyTitle).waitFor()
  await second.reload()
  await second.getByText(AGENT).first().waitFor()

  await second.goto('/organization')
  await second.getByRole('button', { name: organizationTexts.en.leave }).click()
  await second.getByRole('dialog').getByRole('button', { name: organizationTexts.en.leave }).click()
  await second.getByText(nav.organizationLost(CLINIC)).waitFor()
  await second.getByTitle(nav.organizationNow('Caio')).filter({ visible: true }).waitFor()
  assert.deepEqual(caio.troubles(), [])
  await caio.context.close()
})

test('a person who is signed in with another address is told so', async () => {
  await newPerson('dora@example.com', 'Dora')
  const link = await inviteLink('dora@example.com', 'builder')
  const other = await visit(browser, demo.url, { language: 'en' })
  const { page } = other
  await page.goto('/')
  await signIn(page, 'caio@example.com')
  await page.getByRole('button', { name: /^Account/ }).waitFor()
  await page.goto(link)
  await page.getByText(invite.memberOther('caio@example.com', 'dora@example.com')).waitFor()
  await page.getByRole('button', { name: invite.signOut }).click()
  await signIn(page, 'dora@example.com')
  await page.getByRole('button', { name: invite.memberJoin(CLINIC) }).click()
  await switcher(page, CLINIC).waitFor()
  await page.goto('/agents')
  await menuLink(page, agentsTexts.en.newAgent).first().waitFor()
  await page.goto('/keys')
  await page.getByText(denied.notPermittedText).waitFor()
  assert.deepEqual(other.troubles(), [])
})
