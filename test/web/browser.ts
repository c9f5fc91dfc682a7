// A real Chromium, which tells what went wrong on a page: errors, refusals, requests to other hosts.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { atEnd, atWorkerEnd } from '../endings.ts'

export type Language = 'pt' | 'en' | 'es'
const locales = { pt: 'pt-BR', en: 'en-US', es: 'es-ES' } as const
export const screens = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** For whatever a page is waited for: reached only when it does not come, also on a busy machine. */
const WITHIN_MS = 30_000

export type Look = { language?: Language; theme?: 'light' | 'dark'; screen?: keyof typeof screens }

/** The headless shell first: the same engine without a browser window, for half the CPU time. */
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

/** The browser of this process: test files that run one after the other share it, and leave it without pages. */
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
  /** What went wrong so far; refusals that a test asks for are named by a part of their address. */
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
    // A refusal is seen below, with its address.
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

/** The API beside the page: to prepare what a test needs, and to see what the page has done. */
export const apiOf =
  ({ url, key }: Site) =>
  async (method: string, path: string, body?: object) => {
    const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) }
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const answer = await response.json()
    assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

/** Somebody who has signed in already. */
export async function visitSignedIn(browser: Browser, { url, key }: Site, look: Look = {}): Promise<Visitor> {
  const visitor = await visit(browser, url, look)
  const answer = await visitor.page.request.post('/auth/login', { data: { apiKey: key } })
  assert.equal(answer.status(), 200)
  return visitor
}

/** What axe preloads would break the page's own policy. What it found in order is megabytes, which nobody reads. */
const axeOptions = { preload: false, resultTypes: ['violations'] } satisfies Parameters<AxeBuilder['options']>[0]

/** Nothing that shuts somebody out: axe's serious and critical faults. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options(axeOptions).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.target.join(' ')} ${n.html}`).join(' | ')}`)
  assert.deepEqual(told, [], what)
}

/** The loudest sample that the page gave to the speakers so far. */
export const loudest = (page: Page) =>
  page.evaluate(() => (window as never as { heard?: { peak: number } }).heard?.peak ?? 0)

/** To be asked for before the page is opened: tells all that the API has answered to it since it was loaded last. */
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

/** Whoever spoke has finished: no speaker of the page has moved for half a second. */
export const silence = (page: Page) =>
  page.waitForFunction(() => (window as never as { heard: { silentMs: number } }).heard.silentMs >= 500)

/** From now on: what was heard before counts no more. */
export const forgetSounds = (page: Page) =>
  page.evaluate(() => Object.assign((window as never as { heard: { peak: number } }).heard, { peak: 0 }))

/** Runs in the page: whatever is connected to the speakers, and every element that plays, is measured beside them. */
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
