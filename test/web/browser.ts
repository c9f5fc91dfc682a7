// A real Chromium with a microphone of ours, which tells what went wrong on a page: errors, refusals, requests to other hosts.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { joinPcm } from '../../src/audio/pcm.ts'
import { readWav, wavFile } from '../../src/audio/wav.ts'
import { atEnd } from '../app.ts'

export type Language = 'pt' | 'en' | 'es'
const locales = { pt: 'pt-BR', en: 'en-US', es: 'es-ES' } as const
export const screens = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** For whatever a page is waited for: reached only when it does not come, also on a busy machine. */
const WITHIN_MS = 30_000

export type Look = { language?: Language; theme?: 'light' | 'dark'; screen?: keyof typeof screens }

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** `microphone`: a WAV file that is heard once, from the moment the page listens. */
export async function openBrowser(microphone?: string): Promise<Browser> {
  const browser = await chromium.launch({
    ...(program ? { executablePath: program } : {}),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
      ...(microphone ? [`--use-file-for-fake-audio-capture=${microphone}%noloop`] : []),
    ],
  })
  atEnd(() => browser.close())
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
  atEnd(() => context.close().catch(() => {}))
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

/** Nothing that shuts somebody out: axe's serious and critical faults. What it preloads would break the page's own policy. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options({ preload: false }).analyze()
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

/** From now on: what was heard before counts no more. */
export const forgetSounds = (page: Page) =>
  page.evaluate(() => Object.assign((window as never as { heard: { peak: number } }).heard, { peak: 0 }))

/** Runs in the page: whatever is connected to the speakers, and every element that plays, is measured beside them. */
function hearSpeakers(): void {
  const heard = { peak: 0 }
  ;(window as never as { heard: typeof heard }).heard = heard
  const connect = AudioNode.prototype.connect as (...given: unknown[]) => unknown
  const listen = (context: BaseAudioContext): AnalyserNode => {
    const ear = context.createAnalyser()
    const samples = new Float32Array(ear.fftSize)
    setInterval(() => {
      ear.getFloatTimeDomainData(samples)
      for (const sample of samples) heard.peak = Math.max(heard.peak, Math.abs(sample))
    }, 50)
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

const ASKED_AGAIN_MS = 14_000

/**
 * A recorded question after so much silence: the fake microphone plays a file from its beginning. It is asked again, and again, as by
 * anybody who was not answered: on a busy machine sound can be lost.
 */
export function microphoneFile(question: string, silentMs: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-microphone-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const { pcm, rateHz } = readWav(readFileSync(join(import.meta.dirname, '..', 'fixtures', question)))
  const silence = (ms: number) => new Int16Array(Math.round((rateHz * ms) / 1000))
  const path = join(folder, 'microphone.wav')
  const again = Array.from({ length: 3 }, () => [silence(ASKED_AGAIN_MS), pcm]).flat()
  writeFileSync(path, wavFile(joinPcm([silence(silentMs), pcm, ...again, silence(60_000)]), rateHz))
  return path
}
