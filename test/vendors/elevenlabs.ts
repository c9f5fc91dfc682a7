// ElevenLabs' public protocol: voices, streaming over HTTP, and streaming input over WebSocket.
import { bytesOf, KEY, type Routes, sendAudio, sendFrames, startVendor, toneOf } from './server.ts'

export const voices = [
  {
    voice_id: '21m00Tcm4TlvDq8ikWAM',
    name: 'Rachel',
    category: 'premade',
    labels: { accent: 'american', gender: 'female', age: 'young', use_case: 'narration' },
    description: 'Calm and clear',
    preview_url: null,
    verified_languages: [{ language: 'pt', model_id: 'eleven_flash_v2_5', accent: 'brazilian', locale: 'pt-BR' }],
  },
  { voice_id: 'pNInz6obpgDQGcFmaJgB', name: 'Adam', category: 'premade', labels: { gender: 'male', language: 'en' } },
  { voice_id: 'neutral0000000000001', name: 'Sky', category: 'generated', labels: {} },
]

const speech = /^\/v1\/text-to-speech\/([^/?]+)\/(stream|stream-input)$/

const routes: Routes = {
  isAllowed: ({ headers }) => headers['xi-api-key'] === KEY,

  async http({ method, url, body }, response, hooks) {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      return true
    }
    if (method === 'GET' && pathname === '/v1/voices') return json(200, { voices })
    if (method === 'GET' && pathname === '/v2/voices') {
      const size = Math.min(2, Number(searchParams.get('page_size') ?? 10)) // small pages, to test pagination
      const from = Number(searchParams.get('next_page_token') ?? 0)
      const has_more = from + size < voices.length
      return json(200, {
        voices: voices.slice(from, from + size),
        has_more,
        total_count: voices.length,
        next_page_token: has_more ? String(from + size) : null,
      })
    }
    const [, voiceId, kind] = speech.exec(pathname) ?? []
    if (method !== 'POST' || kind !== 'stream') return false
    const { text, model_id } = JSON.parse(body) as { text?: string; model_id?: string }
    if (!text)
      return json(422, { detail: [{ loc: ['body', 'text'], msg: 'field required', type: 'value_error.missing' }] })
    if (!voices.some((voice) => voice.voice_id === voiceId))
      return json(404, { detail: { status: 'voice_not_found', message: `A voice with id ${voiceId} was not found.` } })
    if (model_id !== undefined && !model_id.startsWith('eleven_'))
      return json(400, { detail: { status: 'model_not_found', message: 'no such model' } })
    if (searchParams.get('output_format') !== 'pcm_24000')
      return json(400, { detail: { status: 'output_format_not_allowed', message: 'this server makes pcm_24000 only' } })
    await sendAudio(response, toneOf(decoded(text)), hooks.nextFault(), 'audio/pcm')
    return true
  },

  socket({ url }, socket, hooks) {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const [, voiceId, kind] = speech.exec(pathname) ?? []
    const send = (value: unknown) => {
      hooks.frames.push({ from: 'server', text: JSON.stringify(value) })
      socket.send(JSON.stringify(value))
    }
    const refuse = (error: string, message: string) => {
      send({ message, error, code: 1008 })
      socket.close(1008, message)
    }
    if (kind !== 'stream-input') return socket.close(1008, 'no such path')
    if (!voices.some((voice) => voice.voice_id === voiceId))
      return refuse('voice_id_does_not_exist', `A voice with voice_id ${voiceId} does not exist.`)
    if (searchParams.get('output_format') !== 'pcm_24000') return refuse('invalid_output_format', 'pcm_24000 only')
    let buffer = ''
    let isFirst = true
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as { text?: unknown }
      if (typeof message.text !== 'string') return refuse('input_format_incorrect', 'text is required')
      if (isFirst && message.text !== ' ') return refuse('input_format_incorrect', 'the first text must be a space')
      if (!isFirst && message.text !== '' && !message.text.endsWith(' '))
        return refuse('input_format_incorrect', 'text must end with a space')
      isFirst = false
      buffer += message.text
      if (message.text !== '') return
      const text = buffer.trim()
      const words = text.split(' ')
      void sendFrames(
        socket,
        toneOf(text),
        hooks.nextFault(),
        (piece, i) =>
          JSON.stringify({
            audio: piece.toString('base64'),
            normalizedAlignment: null,
            alignment: words[i] === undefined ? null : alignmentOf(`${words[i]} `),
          }),
        () => {
          send({ isFinal: true })
          socket.close(1000)
        },
        hooks,
      )
    })
  },
}

const alignmentOf = (word: string) => ({
  chars: [...word],
  charStartTimesMs: [...word].map((_, i) => 10 * i),
  charDurationsMs: [...word].map(() => 10),
})

/** Bodies are stored as latin1, one character per byte. */
const decoded = (text: string) => Buffer.from(text, 'latin1').toString('utf8')

export const startElevenLabs = () => startVendor(routes)
export const spoken = (text: string) => bytesOf(toneOf(text))
