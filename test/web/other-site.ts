// A website of another origin with a strict CSP, which loads the browser client.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { atEnd } from '../app.ts'

export type SiteEvent = { type: string; endReason?: string }
type Site = {
  events: SiteEvent[]
  /** The loudest sample of each since the last reset. */
  levels: { caller: number; agent: number }
  call: { stop(): void; digit(digit: string): void; mute(isMuted: boolean): void }
}
type CallOptions = { token: string; transport: 'socket' | 'webrtc'; iceServers?: object[] }

/** A site with only its page, which may load from and connect to the platform alone. */
export async function openSite(browser: Browser, address: string) {
  const policy = `default-src 'none'; script-src ${address}; connect-src ${address} ${address.replace('http', 'ws')}`
  const server = createServer((_req, res) => {
    res
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      .end('<!doctype html><p>Shop</p>')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => server.close())
  const context = await browser.newContext({ permissions: ['microphone'], bypassCSP: false })
  atEnd(() => context.close().catch(() => {}))
  const page = await context.newPage()
  const open = () => page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  const site = <T>(what: string): Promise<T> => page.evaluate(`window.site.${what}`)
  return {
    page,
    open,
    /** Resolves with 'started', or with the reason why it did not start. */
    start: (options: CallOptions) => start(page, address, options),
    events: () => site<SiteEvent[]>('events'),
    types: async () => (await site<SiteEvent[]>('events')).map(({ type }) => type),
    levels: () => site<Site['levels']>('levels'),
    forgetLevels: () => site('levels = { caller: 0, agent: 0 }'),
    digit: (digit: string) => site(`call.digit('${digit}')`),
    stop: () => site('call.stop()'),
  }
}
export type OtherSite = Awaited<ReturnType<typeof openSite>>

const start = (page: Page, server: string, options: CallOptions): Promise<string> =>
  page.evaluate(
    async (given) => {
      const { startWebCall } = await import(`${given.server}/client/web-call.js`)
      const site: Site = { events: [], levels: { caller: 0, agent: 0 }, call: undefined as never }
      ;(window as never as { site: Site }).site = site
      const onLevel = ({ caller, agent }: Site['levels']) => {
        site.levels.caller = Math.max(site.levels.caller, caller)
        site.levels.agent = Math.max(site.levels.agent, agent)
      }
      try {
        site.call = await startWebCall({ ...given, onEvent: (event: SiteEvent) => site.events.push(event), onLevel })
        return 'started'
      } catch (error) {
        return `${(error as { status?: number }).status} ${(error as Error).message}`
      }
    },
    { server, ...options },
  )
