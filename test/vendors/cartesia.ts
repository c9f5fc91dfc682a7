// Cartesia's public protocol (version 2026-08-14): voices, bytes over HTTP, and contexts over WebSocket.
import { KEY, type Routes, sendAudio, sendFrames, startVendor, toneOf } from './server.ts'

const base = {
  access: 'public',
  created_at: '2026-01-01T00:00:00Z',
  is_owner: false,
  visibility: 'all',
  tagline: '',
} as const
export const voices = [
  {
    ...base,
    id: 'a0e99841-438c-4a64-b679-ae501e7d6091',
    name: 'Luana',
    description: 'Warm',
    language: 'pt',
    gender: 'feminine',
    locales: [{ locale: 'pt-BR', is_native: true }],
  },
  {
    ...base,
    id: '694f9389-aac1-45b6-b726-9d9369183238',
    name: 'Blake',
    description: '',
    tagline: 'Support',
    language: 'en',
    gender: 'masculine',
    locales: [],
  },
  {
    ...base,
    id: '248be419-c632-4f23-adf1-5324ed7dbf1d',
    name: 'Sol',
    description: 'Even',
    language: 'es',
    gender: 'gender_neutral',
    locales: [{ locale: 'es-MX', is_native: true }],
  },
]

type Body = {
  transcript?: string
  model_id?: string
  voice?: string | { id?: string }
  language?: string
  output_format?: { container?: string; encoding?: string; sample_rate?: number }
  context_id?: string
  add_timestamps?: boolean
  cancel?: boolean
  generation_config?: { speed?: number }
}

type Refusal = { status_code: number; title: string; message: string; error_code: string }
const refusalOf = (status_code: number, error_code: string, message: string): Refusal => ({
  status_code,
  title: message,
  message,
  error_code,
})

function check(body: Body): Refusal | null {
  const id = typeof body.voice === 'string' ? body.voice : body.voice?.id
  const { container, encoding, sample_rate } = body.output_format ?? {}
  const speed = body.generation_config?.speed ?? 1
  if (!body.model_id?.startsWith('sonic')) return refusalOf(400, 'model_not_found', 'unknown model')
  if (typeof body.transcript !== 'string') return refusalOf(400, 'invalid_request', 'transcript is required')
  if (container !== 'raw' || encoding !== 'pcm_s16le' || sample_rate !== 24_000)
    return refusalOf(400, 'invalid_output_format', 'this server makes raw pcm_s16le at 24000 only')
  if (body.language !== undefined && !/^[a-z]{2}$/.test(body.language))
    return refusalOf(400, 'invalid_language', 'unknown language')
  if (speed < 0.6 || speed > 1.5) return refusalOf(400, 'invalid_request', 'speed must be between 0.6 and 1.5')
  if (!voices.some((voice) => voice.id === id)) return refusalOf(404, 'voice_not_found', 'Voice not found')
  return null
}

const routes: Routes = {
  isAllowed: ({ headers }) =>
    headers.authorization === `Bearer ${KEY}` && /^\d{4}-\d\d-\d\d$/.test(String(headers['cartesia-version'])),

  async http({ method, url, body }, response, hooks) {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      return true
    }
    if (method === 'GET' && (pathname === '/voices' || pathname === '/voices/')) {
      const from = voices.findIndex((voice) => voice.id === searchParams.get('starting_after')) + 1
      const page = voices.slice(from, from + 2) // small pages, to test pagination
      const has_more = from + 2 < voices.length
      return json(200, { data: page, has_more, next_page: has_more ? page.at(-1)?.id : null })
    }
    if (method !== 'POST' || pathname !== '/tts/bytes') return false
    const asked = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as Body
    const refused = check(asked)
    if (refused) return json(refused.status_code, { ...refused, request_id: 'r' })
    await sendAudio(response, toneOf(asked.transcript ?? ''), hooks.nextFault(), 'application/octet-stream')
    return true
  },

  socket({ url }, socket, hooks) {
    if (new URL(url, 'http://x').pathname !== '/tts/websocket') return socket.close(1008, 'no such path')
    const canceled = new Set<string>()
    socket.on('message', (data) => {
      const asked = JSON.parse(data.toString()) as Body
      const context_id = asked.context_id ?? ''
      if (asked.cancel) return canceled.add(context_id)
      const send = (value: object) => {
        const text = JSON.stringify({ context_id, status_code: 200, done: false, ...value })
        hooks.frames.push({ from: 'server', text })
        socket.send(text)
      }
      const refused = check(asked)
      if (refused) return send({ type: 'error', done: true, ...refused })
      const words = (asked.transcript ?? '').split(' ')
      const start = words.map((_, i) => 0.04 * words.slice(0, i).join(' ').length)
      if (asked.add_timestamps)
        send({ type: 'timestamps', word_timestamps: { words, start, end: start.map((at) => at + 0.04) } })
      void sendFrames(
        socket,
        toneOf(asked.transcript ?? ''),
        hooks.nextFault(),
        (piece) =>
          JSON.stringify({
            type: 'chunk',
            context_id,
            status_code: 200,
            done: false,
            step_time: 10,
            data: piece.toString('base64'),
          }),
        () => send({ type: 'done', done: true }),
        hooks,
      )
    })
  },
}

export const startCartesia = () => startVendor(routes)
