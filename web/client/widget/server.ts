// The widget's server API: config, calls and chat. The only file that sends requests; none of them carries cookies.
import { parseSse } from '../../src/components/sse-parser.ts'
import type { WebCall, WebCallOptions } from '../web-call.ts'
import type { WidgetConfig } from './config.ts'
import type { WidgetError } from './texts.ts'

export type ChatMessage = { who: 'visitor' | 'agent'; text: string }
type CallEvents = Pick<WebCallOptions, 'onEvent' | 'onLevel'>

/** The server, or the dashboard preview's mock of it. Every method throws a WidgetFailure. */
export type WidgetServer = {
  call(events: CallEvents): Promise<WebCall>
  /** The chat that this tab started on an earlier page, oldest message first. */
  history(): Promise<ChatMessage[]>
  /** `onText` receives the reply so far. */
  say(text: string, onText: (soFar: string) => void): Promise<void>
  /** Makes the next message start a new chat. */
  forgetChat(): void
}

/** The error to show to the visitor. */
export class WidgetFailure extends Error {
  readonly reason: WidgetError

  constructor(reason: WidgetError, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** Keyed by the code in the X-Error-Code header, whose parameters are ignored. */
const reasons: Readonly<Record<string, WidgetError>> = {
  widget_busy: 'busy',
  widget_no_line: 'busy',
  widget_calls_used_up: 'limit',
  widget_share_used_up: 'limit',
  widget_messages_used_up: 'limit',
  widget_rate: 'tooFast',
  widget_chat_answering: 'tooFast',
  widget_chat_full: 'chatOver',
  widget_chat_gone: 'chatOver',
  widget_chat_token: 'chatOver',
  conversation_ended: 'chatOver',
}

export const failureOf = (errorCode: string | null): WidgetFailure =>
  new WidgetFailure(reasons[/^\w+/.exec(errorCode ?? '')?.[0] ?? ''] ?? 'unavailable')

export function microphoneFailure(name: string): WidgetError | undefined {
  if (name === 'NotAllowedError') return 'microphoneDenied'
  if (name === 'NotFoundError') return 'microphoneMissing'
  if (name === 'NotReadableError') return 'microphoneBusy'
  return name === 'SecurityError' ? 'insecure' : undefined
}

export async function fetchConfig(base: string): Promise<WidgetConfig> {
  const response = await fetch(`${base}/config`, { credentials: 'omit' })
  if (!response.ok) throw failureOf(response.headers.get('x-error-code'))
  return response.json()
}

/** `base` is the widget's URL, such as https://voice.example.com/widget/wgt_…. */
export function widgetServer(server: string, id: string, transport: string | undefined): WidgetServer {
  const base = `${server}/widget/${id}`
  const place = `ramal ${id}`
  let chatToken = stored(place)

  async function post(path: string, init: RequestInit = {}): Promise<Response> {
    const options: RequestInit = { method: 'POST', credentials: 'omit', ...init }
    const response = await fetch(`${base}/${path}`, options).catch((error) => {
      throw new WidgetFailure('connection', error)
    })
    if (!response.ok) throw failureOf(response.headers.get('x-error-code'))
    return response
  }

  function keep(token: string | undefined): void {
    chatToken = token
    try {
      if (token === undefined) sessionStorage.removeItem(place)
      else sessionStorage.setItem(place, token)
    } catch {
      // storage is blocked: the chat does not survive a page change
    }
  }

  async function send(text: string): Promise<Response> {
    if (chatToken === undefined) keep((await (await post('chat')).json()).token)
    const headers = {
      authorization: `Bearer ${chatToken}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    }
    return post('chat/messages', { headers, body: JSON.stringify({ text }) })
  }

  return {
    forgetChat: () => keep(undefined),

    async call(events) {
      const { startWebCall } = (await import(
        /* @vite-ignore */ `${server}/client/web-call.js`
      )) as typeof import('../web-call.ts')
      const order = async () => (await post('call')).json()
      const { token, iceServers } = await order()
      const options = { server, token, iceServers, ...events }
      const first = transport === 'webrtc' ? 'webrtc' : 'socket'
      return startWebCall({ ...options, transport: first }).catch((error) => {
        const { status, name } = error as { status?: number; name?: string }
        const isRefused = microphoneFailure(name ?? '') !== undefined || (status ?? 0) > 0
        if (isRefused || first === 'webrtc' || transport === 'socket') throw callFailure(error)
        // The page's CSP, a proxy or the browser blocks WebSockets or worklets. The token has not been used yet: try
        // WebRTC.
        return startWebCall({ ...options, transport: 'webrtc' }).catch((again) => {
          throw callFailure(again)
        })
      })
    },

    async history() {
      if (chatToken === undefined) return []
      const headers = { authorization: `Bearer ${chatToken}` }
      const response = await post('chat/messages', { method: 'GET', headers }).catch(() => undefined)
      if (!response) keep(undefined)
      return response ? (await response.json()).messages : []
    },

    async say(text, onText) {
      await readReply(await send(text), onText)
    },
  }
}

async function readReply(response: Response, onText: (soFar: string) => void): Promise<void> {
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let [rest, soFar] = ['', '']
  try {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      const read = parseSse(rest + piece.value)
      rest = read.rest
      for (const { event, data } of read.events) {
        if (event === 'error') throw new WidgetFailure('unavailable')
        if (event === 'words') soFar += (data as { text: string }).text
        else if (event === 'message') soFar = (data as { text?: string }).text ?? soFar
        onText(soFar)
      }
    }
  } catch (error) {
    throw error instanceof WidgetFailure ? error : new WidgetFailure('connection', error)
  }
}

function callFailure(error: unknown): WidgetFailure {
  if (error instanceof WidgetFailure) return error
  const { name = '', status = 0 } = error as { name?: string; status?: number }
  const reason = microphoneFailure(name)
  if (reason) return new WidgetFailure(reason, error)
  if (status === 0) return new WidgetFailure('connection', error)
  return new WidgetFailure(status === 429 || status === 503 ? 'busy' : 'unavailable', error)
}

function stored(place: string): string | undefined {
  try {
    return sessionStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}
