// Text chat and voice previews: the parts of the page that need no microphone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { transcriptTexts } from '../../web/src/components/transcript-texts.ts'
import { commonTexts } from '../../web/src/i18n/common-texts.ts'
import { conversationTexts } from '../../web/src/pages/conversations/conversation-texts.ts'
import { talkTexts } from '../../web/src/pages/talk/talk-texts.ts'
import { voicesTexts } from '../../web/src/pages/voices/voices-texts.ts'
import { atEnd } from '../app.ts'
import { until } from '../until.ts'
import { lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { apiOf, assertAccessible, forgetSounds, loudest, openBrowser, visitSignedIn } from './browser.ts'
import { type Demo, startDemo } from './demo.ts'

const t = conversationTexts.en
const AUDIBLE = 0.02

let demo: Demo
let browser: Browser

before(async () => {
  const llm = await startLlm({ answer: (asked) => ({ say: `You wrote: ${lastSaid(asked)}` }) })
  atEnd(() => llm.stop())
  demo = await startDemo({ LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'stand-in' })
  browser = await openBrowser()
})

const open = () => visitSignedIn(browser, demo, { language: 'en' })
const write = async (within: Locator, text: string) => {
  await within.getByRole('textbox', { name: transcriptTexts.en.write }).fill(text)
  await within.getByRole('textbox', { name: transcriptTexts.en.write }).press('Enter')
  await within.getByText(`You wrote: ${text}`, { exact: true }).waitFor()
}

test('start a text conversation, get a reply, end it, read it afterwards', async () => {
  const { page, troubles } = await open()
  const main = page.getByRole('main')
  await page.goto('/conversations')
  await page.getByRole('button', { name: t.start }).click()
  const form = page.getByRole('dialog', { name: t.startTitle })
  await form.getByRole('combobox', { name: commonTexts.en.agent }).click()
  await page.getByRole('option', { name: 'Order support' }).click()
  await form.getByRole('button', { name: t.startGo }).click()
  await page.getByRole('heading', { name: t.untitled('Order support'), level: 1 }).waitFor()
  await write(main, 'Where is order 77?')
  await write(main, 'And order 78?')
  assert.equal(await main.getByRole('textbox', { name: transcriptTexts.en.write }).inputValue(), '')
  await assertAccessible(page, 'a conversation in writing')

  await main.getByRole('button', { name: t.end, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t.endQuestion })
  await dialog.getByRole('button', { name: t.end, exact: true }).click()
  await main.getByText(t.over).waitFor()
  await page.reload()
  await main.getByText('You wrote: And order 78?', { exact: true }).waitFor()
  const id = /cnv_\w+/.exec(page.url())?.[0]
  const messages = await apiOf(demo)('GET', `/api/conversations/messages/${id}`)
  assert.deepEqual(
    messages.map(({ type }: { type: string }) => type),
    ['user', 'agent', 'user', 'agent'],
  )
  assert.deepEqual(troubles(), [])
})

test('an ended text conversation is deleted completely, after confirmation', async () => {
  const { page, troubles } = await open()
  const ask = apiOf(demo)
  const { id: agentId } = (await ask('GET', '/api/agents')).find(
    ({ name }: { name: string }) => name === 'Order support',
  )
  const { id } = await ask('POST', '/api/conversations/start', { agentId, title: 'To be forgotten' })
  await ask('POST', `/api/conversations/message/send/${id}`, { type: 'user', content: 'My number is 77' })
  await page.goto(`/conversations/${id}`)
  const main = page.getByRole('main')
  await main.getByText('My number is 77').waitFor()
  await main.getByRole('button', { name: commonTexts.en.moreActions }).click()
  await page.getByRole('menuitem', { name: commonTexts.en.copyId }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: t.delete }).count(), 0, 'it is still under way')
  await page.keyboard.press('Escape')
  await main.getByRole('button', { name: t.end, exact: true }).click()
  await page.getByRole('dialog', { name: t.endQuestion }).getByRole('button', { name: t.end, exact: true }).click()
  await main.getByRole('button', { name: commonTexts.en.moreActions }).click()
  await page.getByRole('menuitem', { name: t.delete }).click()
  const sure = page.getByRole('dialog', { name: t.deleteQuestion })
  await sure.getByText(t.deleteWrittenWarning).waitFor()
  await assertAccessible(page, 'the question before a conversation is deleted')
  await sure.getByRole('button', { name: t.delete, exact: true }).click()
  await page.waitForURL(/\/conversations$/)
  await page.getByRole('grid', { name: t.title }).waitFor()
  await page.getByText('To be forgotten').waitFor({ state: 'detached' })
  const left = (await ask('GET', '/api/conversations')).map((one: { id: string }) => one.id)
  assert.ok(!left.includes(id))
  assert.deepEqual(troubles(), [])
})

test('the talk page offers text chat', async () => {
  const { page, troubles } = await open()
  const main = page.getByRole('main')
  await page.goto(`/agents/${demo.ids.agent}/talk`)
  await main.getByText(talkTexts.en.inWriting, { exact: true }).click()
  await write(main, 'Is anybody there?')
  await main.getByRole('link', { name: talkTexts.en.openConversation }).click()
  await page.waitForURL(/\/conversations\/cnv_/)
  await main.getByText('You wrote: Is anybody there?', { exact: true }).waitFor()
  assert.deepEqual(troubles(), [])
})

test('a deleted conversation leaves the list at once and is not fetched again', async () => {
  const { page, troubles } = await open()
  await page.goto('/conversations')
  const row = page.getByRole('row').filter({ hasText: 'A paciente marcou uma consulta' })
  await row.getByRole('link', { name: /\+55 11 98765-4321/ }).click()
  await page.getByRole('button', { name: commonTexts.en.moreActions }).click()
  await page.getByRole('menuitem', { name: t.delete }).click()
  await page.getByRole('dialog', { name: t.deleteQuestion }).getByRole('button', { name: t.delete }).click()
  await page.waitForURL(/\/conversations$/)
  await page.getByRole('grid', { name: t.title }).waitFor()
  await row.waitFor({ state: 'detached' })
  assert.deepEqual(troubles(), [])
})

test('preview any voice with a custom sentence, one at a time', async () => {
  const words = voicesTexts.en
  const { page, troubles } = await open()
  await page.goto('/voices')
  await page.getByRole('textbox', { name: words.trySentence }).fill('Your table is ready.')
  await page.getByRole('button', { name: 'Listen: Bella' }).click()
  await until('she is heard', async () => (await loudest(page)) > AUDIBLE)
  await page.getByRole('button', { name: 'Listen: Bella' }).waitFor() // the preview has been played
  await page.getByRole('textbox', { name: words.trySentence }).fill('Your table is ready. '.repeat(8))
  await forgetSounds(page)
  await page.getByRole('button', { name: 'Listen: Michael' }).click()
  await page.getByRole('button', { name: 'Listen: Fenrir' }).click()
  await page.getByRole('button', { name: 'Stop: Fenrir' }).waitFor()
  await page.getByRole('button', { name: 'Listen: Michael' }).waitFor()
  await until('he is heard', async () => (await loudest(page)) > AUDIBLE)

  const search = page.getByRole('searchbox', { name: words.find })
  await search.fill('heart')
  await page.getByText(words.count(1), { exact: true }).waitFor()
  await search.fill('nobody')
  await page.getByText(words.none).waitFor()
  await search.fill('')
  await page.getByText(words.count(10), { exact: true }).waitFor()
  await assertAccessible(page, 'voices')

  await page.getByRole('combobox', { name: words.language }).click()
  await page.getByRole('option', { name: 'Portuguese' }).click()
  await page.getByText(words.count(3), { exact: true }).waitFor()
  await page.getByText(words.usedBy(1), { exact: true }).click()
  await page.getByRole('menuitem', { name: 'Recepção da Clínica Vida' }).click()
  await page.waitForURL(/\/agents\/agt_/)
  assert.deepEqual(troubles(), [])
})

test('administrators read which setting a provider has, members what it is', async () => {
  const about = async (key: string) => {
    const { page, troubles } = await visitSignedIn(browser, { ...demo, key }, { language: 'en' })
    await page.goto('/voices')
    await page.getByText(voicesTexts.en.embeddedText).waitFor()
    assert.deepEqual(troubles(), [])
    return page.getByRole('main').innerText()
  }
  assert.match(await about(demo.key), /TTS_PROVIDER_B/)
  assert.doesNotMatch(await about(demo.ana.key), /[A-Z]+_[A-Z]+/)
})
