// Takes the screenshots of the guide: `npm run pictures`, or only some: `npm run pictures campaign suppressions`. Not a
// test.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { talkTexts } from '../../web/src/pages/talk/talk-texts.ts'
import { startTestApp } from '../app.ts'
import { startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { type Look, openBrowser, silence, visit } from './browser.ts'
import { startDemo } from './demo.ts'
import { giveMicrophone, say } from './microphone.ts'

const only = process.argv.slice(2)
const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
mkdirSync(folder, { recursive: true })
const models = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ramal-models')
const dataDir = mkdtempSync(join(tmpdir(), 'ramal-pictures-'))
symlinkSync(models, join(dataDir, 'models'))
const llm = await startLlm({
  answer: () => ({ say: 'No sábado abrimos das oito ao meio-dia. Quer marcar uma consulta?' }),
})
const browser = await openBrowser()
const demo = await startDemo({
  DATA_DIR: dataDir,
  LLM_BASE_URL: `${llm.url}/v1`,
  LLM_API_KEY: KEY,
  LLM_MODEL: 'gpt-4o-mini',
})
const { ids } = demo

const settled = async (page: Page) => {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.mantine-Loader-root'))
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => new Promise((done) => setTimeout(done, 700)))
}

type Shot = Look & { url?: string; isSignedIn?: boolean; first?: (page: Page) => Promise<unknown> }

async function take(name: string, path: string, shot: Shot = {}): Promise<void> {
  if (only.length > 0 && !only.includes(name)) return
  const { url = demo.url, isSignedIn = true, first, ...look } = shot
  const { page, context } = await visit(browser, url, { language: 'en', ...look })
  await giveMicrophone(page)
  if (isSignedIn) await page.request.post('/auth/login', { data: { apiKey: demo.key } })
  await page.goto(path)
  await settled(page)
  await first?.(page)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
  process.stdout.write(`${name}\n`)
}

const fresh = await startTestApp({ EMBEDDED_VOICE: 'off' })
await take('first-start', '/', { url: await fresh.app.listen(), isSignedIn: false })
await take('home', '/')
await take('home-dark', '/', { theme: 'dark', language: 'pt' })
await take('home-phone', '/', { screen: 'phone', language: 'es' })
await take('agents', '/agents')
await take('new-agent', '/agents/new')
await take('agent', `/agents/${ids.agent}`)
await take('talk', `/agents/${ids.agent}/talk`, {
  async first(page) {
    await page.getByRole('button', { name: talkTexts.en.start }).click()
    await page.getByRole('log').getByText('Em que posso ajudar?').waitFor()
    await silence(page)
    await say(page, 'question-pt.wav')
    await page.getByText('ao meio-dia').first().waitFor({ timeout: 60_000 })
    await page.evaluate(() => new Promise((done) => setTimeout(done, 4000)))
  },
})
await take('live', '/live')
await take('calls', '/calls')
await take('call', `/calls/${ids.call}`)
await take('call-dark', `/calls/${ids.call}`, { theme: 'dark', language: 'pt' })
await take('campaign', `/campaigns/${ids.campaign}`)
await take('campaign-wizard', '/campaigns/new')
await take('suppressions', '/suppressions')
await take('trunk', `/trunks/${ids.trunk}`)
await take('devices', '/devices')
await take('tool', `/tools/${ids.tool}`)
await take('knowledge', `/knowledge/${ids.knowledge}`)
await take('spreadsheet', `/spreadsheets/${ids.sheet}`)
await take('voices', '/voices')
await take('keys', '/keys')
await take('webhooks', '/webhooks')
await take('settings', '/settings')
await browser.close()
await demo.app.close()
await fresh.app.close()
await llm.stop()
rmSync(dataDir, { recursive: true, force: true })
