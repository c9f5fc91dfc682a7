// A real Chromium that reports what went wrong on a page: errors, refusals, requests to other hosts.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { atEnd, atWorkerEnd } from '../endings.ts'

export type Language = 'pt' | 'en' | 'es'
const locales = { pt: 'pt-BR', en: 'en-US', es: 'es-ES' } as const
export const screens = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Timeout for anything on a page: generous, because of busy machines. */
const WITHIN_MS = 30_000

export type Look = { language?: Language; theme?: 'light' | 'dark'; screen?: keyof typeof screens }

/** The headless shell comes first: the same engine without a browser window, for half the CPU time. */
const program = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync)

const launch = (): Promise<Browser> =>
  chromium.launch({
    ...(program ? { executablePath: program } : {}),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })

let shared: Promise<Browser> | undefined

/** The browser of this process: consecutive test files share it, and leave it without pages. */
export async function openBrowser(): Promise<Browser> {
  const last = await shared?.catch(() => undefined)
  if (!last?.isConnected()) {
    shared = launch()
    if (!last) atWorkerEnd(() => shared?.then((browser) => browser.close()))
  }
  const browser = await (shared as Promise<Browser>)
  atEnd(() => Promise.all(browser.contexts().map((context) => context.close().catch(() => {}))))
  return browser
}

export type Visitor = {
  page: Page
  context: BrowserContext
  /** What went wrong so far; a test names the refusals it expects by part of their URL. */
  troubles(expected?: readonly string[]): string[]
}

export async function visit(browser: Browser, base: string, look: Look = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: base,
    locale: locales[look.language ?? 'pt'],
    colorScheme: look.theme ?? 'light',
    viewport: screens[look.screen ?? 'desk'],
    permissions: ['microphone', 'clipboard-read', 'clipboard-write'],
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
  })
  await context.addInitScript(hearSpeakers)
  const page = await context.newPage()
  page.setDefaultTimeout(WITHIN_MS)
  const seen: string[] = []
  const host = new URL(base).host
  page.on('console', (message) => {
    // The response handler below reports refusals with their URL.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      seen.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => seen.push(`error: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    const { protocol, host: asked } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && asked !== host) seen.push(`another host: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) seen.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  return {
    page,
    context,
    troubles: (expected = []) => seen.filter((one) => !expected.some((part) => one.includes(part))),
  }
}

export type Site = { url: string; key: string }

/** Calls the API directly: prepares what a test needs, and checks what the page did. */
export const apiOf =
  ({ url, key }: Site) =>
  async (method: string, path: string, body?: object) => {
    const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) }
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const answer = await response.json()
    assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

/** A visitor who has signed in already. */
export async function visitSignedIn(browser: Browser, { url, key }: Site, look: Look = {}): Promise<Visitor> {
  const visitor = await visit(browser, url, look)
  const answer = await visitor.page.request.post('/auth/login', { data: { apiKey: key } })
  assert.equal(answer.status(), 200)
  return visitor
}

/**
 * axe's preloading would violate the page's own policy, and its list of passed checks would be megabytes that nobody
 * reads.
 */
const axeOptions = { preload: false, resultTypes: ['violations'] } satisfies Parameters<AxeBuilder['options']>[0]

/** Asserts that axe finds no serious or critical violation. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options(axeOptions).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.target.join(' ')} ${n.html}`).join(' | ')}`)
  assert.deepEqual(told, [], what)
}

/** The loudest sample that the page has sent to the speakers so far. */
export const loudest = (page: Page) =>
  page.evaluate(() => (window as never as { heard?: { peak: number } }).heard?.peak ?? 0)

/** Must be called before the page is opened; reports every API response since the page was last loaded. */
export async function answersTo(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const answers: string[] = []
    Object.assign(window, { answers })
    const ask = window.fetch
    window.fetch = async (...given) => {
      const response = await ask(...given)
      const isJson = response.headers.get('content-type')?.includes('json')
      if (isJson) answers.push(await response.clone().text())
      return response
    }
  })
  return () => page.evaluate(() => (window as never as { answers: string[] }).answers.join('\n'))
}

/** Waits until speech has ended: nothing from the page has been audible for half a second. */
export const silence = (page: Page) =>
  page.waitForFunction(() => (window as never as { heard: { silentMs: number } }).heard.silentMs >= 500)

/** Resets the meter: sounds heard before no longer count. */
export const forgetSounds = (page: Page) =>
  page.evaluate(() => Object.assign((window as never as { heard: { peak: number } }).heard, { peak: 0 }))

/** Runs in the page: measures everything that is connected to the speakers, and every media element that plays. */
function hearSpeakers(): void {
  const LOOK_MS = 50
  const heard = { peak: 0, silentMs: 0 }
  ;(window as never as { heard: typeof heard }).heard = heard
  const connect = AudioNode.prototype.connect as (...given: unknown[]) => unknown
  const listen = (context: BaseAudioContext): AnalyserNode => {
    const ear = context.createAnalyser()
    const samples = new Float32Array(ear.fftSize)
    setInterval(() => {
      ear.getFloatTimeDomainData(samples)
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      heard.peak = Math.max(heard.peak, loudest)
      heard.silentMs = loudest > 0.005 ? 0 : heard.silentMs + LOOK_MS
    }, LOOK_MS)
    return ear
  }
  const ears = new WeakMap<BaseAudioContext, AnalyserNode>()
  AudioNode.prototype.connect = function (this: AudioNode, ...given: unknown[]) {
    if (given[0] instanceof AudioDestinationNode) {
      const ear = ears.get(this.context) ?? listen(this.context)
      ears.set(this.context, ear)
      connect.call(this, ear)
    }
    return connect.apply(this, given)
  } as never

  const heardOnes = new WeakSet<HTMLMediaElement>()
  const play = HTMLMediaElement.prototype.play
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement & { captureStream(): MediaStream }) {
    const begin = () => {
      if (heardOnes.has(this)) return
      heardOnes.add(this)
      const context = new AudioContext()
      connect.call(context.createMediaStreamSource(this.captureStream()), listen(context))
    }
    this.addEventListener('playing', begin)
    return play.call(this)
  } as never
}
