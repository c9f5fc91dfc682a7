// A stock Firefox with a fake microphone, driven by WebDriver BiDi: just enough of it to open a page and evaluate
// expressions.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { atEnd } from '../app.ts'

const START_MS = 60_000

const preferences = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'media.peerconnection.ice.loopback': true,
  // Otherwise Firefox offers mDNS candidates: a fake microphone does not count as a permission.
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,', // queries no Mozilla server
  'toolkit.telemetry.enabled': false,
}

type Reply = { id?: number; method?: string; result?: never; error?: string; message?: string; params?: LogEntry }
type LogEntry = { level: string; text: string }

export async function openFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'ramal-firefox-'))
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const env = { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' }
  const firefox = spawn('firefox-esr', options, { stdio: ['ignore', 'ignore', 'pipe'], env })
  const gone = new Promise<void>((resolve) => firefox.once('close', () => resolve()))
  atEnd(async () => {
    firefox.kill('SIGKILL')
    await gone
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  })

  const socket = new WebSocket(`${await addressIn(firefox.stderr)}/session`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>()
  const errors: string[] = []
  let count = 0
  socket.on('message', (data) => {
    const { id, result, error, message, method, params } = JSON.parse(String(data)) as Reply
    if (method === 'log.entryAdded' && params?.level === 'error' && !params.text.includes('/favicon.ico'))
      errors.push(params.text)
    const asked = waiting.get(id ?? 0)
    if (!asked) return
    waiting.delete(id ?? 0)
    if (error) asked.reject(new Error(`${error}: ${message}`))
    else asked.resolve(result as never)
  })
  const send = <T>(method: string, params: object = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.set(++count, { resolve, reject })
      socket.send(JSON.stringify({ id: count, method, params }))
    })

  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' })
  return {
    /** Console errors and uncaught exceptions so far, including CSP violations. */
    errors,
    open: (url: string) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    /** Evaluates an expression in the page and awaits promises. Counts as a user gesture for the browser. */
    async evaluate<T>(expression: string): Promise<T> {
      type Evaluated = { type: string; result?: { value?: T }; exceptionDetails?: { text: string } }
      const asked = { expression, target: { context }, awaitPromise: true, userActivation: true }
      const { type, result, exceptionDetails } = await send<Evaluated>('script.evaluate', asked)
      if (type === 'exception') throw new Error(exceptionDetails?.text)
      return result?.value as T
    },
  }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  const found = Promise.withResolvers<string>()
  const timer = setTimeout(() => found.reject(new Error('Firefox did not start in time')), START_MS)
  createInterface(output).on('line', (line) => {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
    if (address) found.resolve(address)
  })
  return found.promise.finally(() => clearTimeout(timer))
}
